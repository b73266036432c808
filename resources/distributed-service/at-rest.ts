import type { AtRest } from '../../packages/controller/decide/resource.ts';
import { type ObjectRef, refOf } from '../../packages/controller/domain/kube-object.ts';
import { labels } from '../../packages/controller/domain/names.ts';
import type { Query } from '../../packages/controller/domain/plan.ts';
import { type ChildRole, childName, childRoles, cleanupFinalizer } from './names.ts';
import { problemOf } from './spec/problem.ts';
import type { DistributedService } from './types.ts';

/**
 * The reads of a look at a service that may be at rest: two lists by the label of all that is ours, and one read by name for each child that
 * they do not have. The identity Secret is not read if the status has its digest: nobody can change it, and its deletion is an event that
 * makes a pass read everything. Undefined, so that everything is read, if the status does not speak of the present spec, if the service
 * is being deleted, or if somebody else has the name of a child: our label would not find that object.
 */
export function restOf(owner: DistributedService): AtRest | undefined {
  const { metadata, spec, status } = owner;
  if (metadata.uid === undefined || metadata.deletionTimestamp !== undefined) return undefined;
  if (metadata.finalizers?.includes(cleanupFinalizer) !== true) return undefined;
  if (status?.observedGeneration !== metadata.generation || problemOf(spec) !== undefined) return undefined;
  if (status?.conditions?.some(({ reason }) => reason === 'NameConflict')) return undefined;
  const { enabled, autoGenerate } = spec.security.mtls;
  const list = (kind: string): Query => ({
    what: 'list',
    apiVersion: 'v1',
    kind,
    namespace: metadata.namespace ?? '',
    labelSelector: `${labels.ownerUid}=${metadata.uid ?? ''}`,
  });
  const named = (role: ChildRole): Query => ({ what: 'object', ref: childRef(owner, role) });
  const isTold = status?.identityDigest !== undefined;
  const secrets = [...(isTold ? [] : [named('identity')]), ...(enabled && autoGenerate ? [named('tls')] : [])];
  return {
    queries: [list('ConfigMap'), list('Service'), named('tunnel'), ...secrets],
    asTold: isTold ? ['identity' satisfies ChildRole] : [],
  };
}

function childRef(owner: DistributedService, role: ChildRole): ObjectRef {
  const { namespace, name } = refOf(owner);
  return { ...childRoles[role], namespace, name: childName(name, role) };
}
