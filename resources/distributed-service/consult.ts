import { isLeaving } from '../../packages/controller/decide/children.ts';
import type { Consulting } from '../../packages/controller/decide/resource.ts';
import type { Observed } from '../../packages/controller/domain/plan.ts';
import { questionOf } from './certificates/certificates.ts';
import { certify } from './certificates/certify.ts';
import { lifetimes as usual } from './certificates/lifetimes.ts';
import { questionTo } from './children/tunnel-pod.ts';
import type { Facts, ServiceTools } from './given.ts';
import { inputs } from './inputs.ts';
import type { DistributedService } from './types.ts';

/** Looks at the certificates of a service, makes those that are due, and asks the Envoy of its tunnel which endpoints it uses. */
export async function consult(
  observed: Observed<DistributedService>,
  { now, asks, once }: Consulting,
  { issuer, askTunnel, lifetimes = usual }: ServiceTools,
): Promise<Facts> {
  const certificates = await certify(questionOf(observed), { now, lifetimes, issuer });
  const question = isLeaving(observed.owner) ? undefined : questionTo(observed.inputs.get(inputs.tunnelPods) ?? []);
  if (!asks || askTunnel === undefined || question === undefined) return { certificates };
  const live = await once(`${question.address} ${String(question.asksWhy)}`, () => askTunnel(question));
  return { certificates, live: live ?? 'unreachable' };
}
