import type { Finding } from '../../domain/conditions.ts';
import type { DistributedService } from '../../domain/distributed-service.ts';
import { refusalReason } from '../refusal.ts';
import { conflictReason } from './claims.ts';
import { needsPodList } from './inputs.ts';
import { endpointsCondition, endpointsFinding } from './live-endpoints.ts';
import type { Seen } from './seen.ts';
import { hasAvailableReplica } from './tunnel-state.ts';

/** What is true of a living service, one answer a question; `Ready` is the sum of the others. */
export function findingsOf(owner: DistributedService, seen: Seen): readonly Finding[] {
  const observedGeneration = owner.metadata.generation ?? 0;
  const before = owner.status?.conditions?.find(({ type }) => type === endpointsCondition);
  const endpoints = endpointsFinding(seen.endpoints, before);
  const parts = [configuration(seen), certificates(seen), backends(owner, seen), tunnel(seen), endpoints];
  const open = parts.find(isOpen);
  const ready: Answer =
    open === undefined
      ? { type: 'Ready', status: 'True', reason: 'Running', message: 'The tunnel is up and its backends are ready' }
      : { type: 'Ready', status: 'False', reason: open.reason, message: open.message };
  return [...parts, ready].map((answer) => ({ ...answer, observedGeneration }));
}

/** What Envoy does not say, or cannot be asked, holds nothing up: what it refuses does. */
function isOpen({ type, status }: Answer): boolean {
  return type === endpointsCondition ? status === 'False' : status !== 'True';
}

type Answer = Omit<Finding, 'observedGeneration'>;

function configuration({ profile, work, refusal, claims }: Seen): Answer {
  const type = 'ConfigurationValid';
  if (refusal !== undefined) return { type, status: 'False', ...refusalReason(refusal) };
  if (profile.is !== 'usable') return { type, status: 'False', reason: profile.reason, message: profile.message };
  if (claims.conflict !== undefined) return { type, status: 'False', reason: conflictReason, message: claims.conflict };
  if (work.foreign.length > 0) {
    const message = `${work.foreign.join(', ')} exists and does not belong to this service: delete it, or rename the service`;
    return { type, status: 'False', reason: 'NameConflict', message };
  }
  if (work.leaving.length > 0) {
    const message = `Waiting for ${work.leaving.join(', ')} to go before its successor is made`;
    return { type, status: 'False', reason: 'WaitingForDeletion', message };
  }
  return { type, status: 'True', reason: 'Valid', message: 'The configuration is valid' };
}

function certificates({ certificates: { status, reason, message } }: Seen): Answer {
  return { type: 'CertificatesReady', status, reason, message };
}

function backends(owner: DistributedService, seen: Seen): Answer {
  const { spec } = owner;
  const { discovery, workload } = seen;
  const type = 'BackendsAvailable';
  const active = discovery.backends.filter(({ ready }) => ready).length;
  const least = spec.backends.workloadRef === undefined ? spec.backends.replicas : Math.min(1, spec.backends.replicas);
  const later = needsPodList(spec.backends.selector ?? {})
    ? ['Pods that matchExpressions find are seen at the next resync, not at once']
    : [];
  const { workloadRef } = spec.backends;
  const missing =
    workloadRef !== undefined && workload === undefined
      ? [`${workloadRef.kind} ${workloadRef.name} does not exist`]
      : [];
  const notes = [...missing, ...discovery.problems, ...later];
  const say = (what: string): string => [what, ...notes].join('; ');
  if (active === 0 && least > 0)
    return { type, status: 'False', reason: 'NoBackendsFound', message: say('0 backends available') };
  if (active > 0 && areAllUnhealthy(owner, seen)) {
    const message = say(`None of ${String(active)} backends passes its health check`);
    return { type, status: 'False', reason: allUnhealthy, message };
  }
  if (active < least) {
    const message = say(`${String(active)} of at least ${String(least)} backends available`);
    return { type, status: 'False', reason: 'TooFewBackends', message };
  }
  return { type, status: 'True', reason: 'BackendsReady', message: say(`${String(active)} backends available`) };
}

const allUnhealthy = 'AllBackendsUnhealthy';

/**
 * As the Pod of the tunnel tells it, which is an event, unless Envoy counts a healthy one: the Pod also says so when it was
 * not probed yet, and when there are a hundred times as many. Where nobody asks Envoy, that stays as it was.
 */
function areAllUnhealthy({ spec, status }: DistributedService, { endpoints: { pod, live } }: Seen): boolean {
  if (spec.loadBalancing.healthCheck === undefined || pod?.isWithoutBackends !== true) return false;
  if (live === 'unreachable') return true;
  if (live !== undefined) return live.healthy === 0;
  return status?.conditions?.some(({ reason }) => reason === allUnhealthy) ?? false;
}

function tunnel({ tunnel: deployment, endpoints }: Seen): Answer {
  const type = 'TunnelAvailable';
  if (hasAvailableReplica(deployment) || endpoints.pod?.isServing === true) {
    return { type, status: 'True', reason: 'TunnelUp', message: 'The Pod of the tunnel is ready' };
  }
  const [reason, message] =
    deployment === undefined
      ? ['TunnelMissing', 'The tunnel is not made yet']
      : ['TunnelStarting', 'The Pod of the tunnel is not ready yet'];
  return { type, status: 'False', reason, message };
}
