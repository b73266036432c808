import type { Resource } from '../../packages/controller/decide/resource.ts';
import type { Observed } from '../../packages/controller/domain/plan.ts';
import { restOf } from './at-rest.ts';
import { lifetimes as usual } from './certificates/lifetimes.ts';
import { ownClaims } from './claims/claim-queries.ts';
import { consult } from './consult.ts';
import { costOf } from './cost.ts';
import type { Facts, ServiceTools } from './given.ts';
import { inputsOf } from './inputs.ts';
import { childName, childRoles } from './names.ts';
import { planFor } from './plan.ts';
import type { DistributedService } from './types.ts';

/** The resource DistributedService: a tunnel that publishes its backends, and a status that reports its state. */
export function distributedService(tools: ServiceTools): Resource {
  const { images, newToken, lifetimes = usual } = tools;
  return {
    apiVersion: 'frp.io/v1beta1',
    kind: 'DistributedService',
    children: ({ namespace, name }) =>
      new Map(
        Object.entries(childRoles).map(([role, kind]) => [
          role,
          { ...kind, namespace, name: childName(name, role as keyof typeof childRoles) },
        ]),
      ),
    atRest: (owner) => restOf(owner as DistributedService),
    lists: (owner, controllerNamespace) => [ownClaims(owner, controllerNamespace)],
    inputs: (owner, asking) => inputsOf(owner as DistributedService, asking),
    cost: (owner) => costOf(owner as DistributedService),
    consult: (observed, consulting) => consult(typed(observed), consulting, tools),
    decide: (observed, { facts, ...given }) =>
      planFor(typed(observed), { ...given, images, newToken, lifetimes, ...(facts as Facts) }),
  };
}

function typed(observed: Observed): Observed<DistributedService> {
  return { ...observed, owner: observed.owner as DistributedService };
}
