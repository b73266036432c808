import { refusalReason } from '../../../packages/controller/decide/refusal.ts';
import type { Answer } from '../../../packages/controller/domain/conditions.ts';
import type { TunnelPod } from '../children/tunnel-pod.ts';
import { conflictReason, notAllowedReason } from '../claims/reasons.ts';
import { needsPodList } from '../discovery/backend-selector.ts';
import { parseIp } from '../discovery/ip-address.ts';
import { endpointsCondition, endpointsFinding, pendingReason } from '../envoy/live-endpoints.ts';
import { publishedCondition, publishedFinding } from '../frp/published.ts';
import type { Seen } from '../seen.ts';
import type { DistributedService } from '../types.ts';
import type { State } from './state.ts';
import { hasAvailableReplica, replicaFailureOf } from './tunnel-state.ts';

/** The conditions of a service that is not being deleted, but for the summary that follows from its state. */
export function findingsOf(owner: DistributedService, seen: Seen): readonly Answer[] {
  const before = (condition: string) => owner.status?.conditions?.find(({ type }) => type === condition);
  const endpoints = endpointsFinding(seen.endpoints, before(endpointsCondition));
  const published = publishedFinding(seen.published, before(publishedCondition));
  return [configuration(seen), certificates(seen), backends(owner, seen), tunnel(seen), published, endpoints];
}

/** The first condition that keeps the service from being `Ready`; undefined if none does. */
export function openAmong({ metadata, status }: DistributedService, parts: readonly Answer[]): Answer | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const wasReady = ready?.status === 'True' && ready.observedGeneration === metadata.generation;
  return parts.find((part) => (part.type === endpointsCondition ? isHeldUp(part, wasReady) : part.status !== 'True'));
}

/**
 * The conditions that follow from the state. `Ready` is true of a service that is Running, and of no other. Of those that are not Ready,
 * `Reconciling` marks one that will become it by itself, and `Stalled` one that needs a person
 * (https://github.com/kubernetes-sigs/cli-utils/tree/master/pkg/kstatus).
 */
export function summaryOf(state: State, open: Answer | undefined, pod?: TunnelPod): readonly Answer[] {
  const { reason, message } = open ?? changing;
  const isRunning = state === 'Running';
  const why = isRunning ? { ...running, message: running.message + simulation(pod) } : { reason, message };
  const is = (type: string, holds: boolean): Answer => ({ type, status: holds ? 'True' : 'False', ...why });
  return [
    is('Ready', isRunning),
    is('Reconciling', !isRunning && state !== 'Failed'),
    is('Stalled', state === 'Failed'),
  ];
}

const running = { reason: 'Running', message: 'The tunnel is up and its backends are ready' };

/** A note for a service whose Pod is simulated, so that nobody looks for traffic there. */
function simulation(pod: TunnelPod | undefined): string {
  return pod?.isSimulated === true ? ', but Pods are simulated here: no request passes' : '';
}

const changing = { reason: 'Updating', message: 'The tunnel does not run the newest configuration yet' };

/**
 * Whether the endpoints keep the service from being `Ready`: Envoy has refused them, or does not use those of a new generation yet. An Envoy
 * that does not answer holds nothing up. A service that was ready stays ready while its backends come and go, although Envoy learns of
 * them a second later.
 */
function isHeldUp({ status, reason }: Answer, wasReady: boolean): boolean {
  return status === 'False' || (reason === pendingReason && !wasReady);
}

function configuration({ profile, work, refusal, claims, scaling, held }: Seen): Answer {
  const type = 'ConfigurationValid';
  if (refusal !== undefined) return { type, status: 'False', ...refusalReason(refusal) };
  if (profile.is !== 'usable') return { type, status: 'False', reason: profile.reason, message: profile.message };
  if (claims.denied !== undefined) return { type, status: 'False', reason: notAllowedReason, message: claims.denied };
  if (claims.conflict !== undefined) return { type, status: 'False', reason: conflictReason, message: claims.conflict };
  if (scaling.conflict !== undefined)
    return { type, status: 'False', reason: 'WorkloadConflict', message: scaling.conflict };
  if (work.foreign.length > 0) {
    const message = `${work.foreign.join(', ')} exists and does not belong to this service: delete it, or rename the service`;
    return { type, status: 'False', reason: 'NameConflict', message };
  }
  if (work.leaving.length > 0) {
    const message = `Waiting for ${work.leaving.join(', ')} to go before its successor is made`;
    return { type, status: 'False', reason: 'WaitingForDeletion', message };
  }
  if (held !== undefined) return { type, status: 'False', ...held };
  return { type, status: 'True', reason: 'Valid', message: 'The configuration is valid' };
}

function certificates({ certificates: { status, reason, message } }: Seen): Answer {
  return { type: 'CertificatesReady', status, reason, message };
}

function backends(owner: DistributedService, seen: Seen): Answer {
  const { spec } = owner;
  const { discovery, scaling } = seen;
  const type = 'BackendsAvailable';
  const active = discovery.backends.filter(({ ready }) => ready).length;
  const least = spec.backends.workloadRef === undefined ? spec.backends.replicas : Math.min(1, spec.backends.replicas);
  const later = seenLater(spec);
  const { workloadRef } = spec.backends;
  const missing =
    workloadRef !== undefined && scaling.workload === undefined
      ? [`${workloadRef.kind} ${workloadRef.name} does not exist`]
      : [];
  const moved = scaling.moved === undefined ? [] : [scaling.moved];
  const notes = [...missing, ...moved, ...discovery.problems, ...later];
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
  // In these words for every number, 1 too: programs look for them.
  return { type, status: 'True', reason: 'BackendsReady', message: say(`${String(active)} backends available`) };
}

/** Notes for the status about changes that no event reports. */
function seenLater({ backends: { selector = {}, endpoints = [] } }: DistributedService['spec']): readonly string[] {
  if (needsPodList(selector)) return ['Pods that matchExpressions find are seen at the next resync, not at once'];
  const isListed = endpoints.some(({ host }) => parseIp(host) === undefined);
  return isListed ? ['Changes of a Service that is listed are seen at the next resync, not at once'] : [];
}

const allUnhealthy = 'AllBackendsUnhealthy';

/**
 * Whether no backend is healthy. The Pod of the tunnel reports that, and its report is an event. But the Pod also does so before its first
 * probe, and if fewer than one backend in a hundred is healthy: so Envoy's own count decides. If Envoy is not asked, the answer stays
 * as it was.
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
    const up = { type, status: 'True', reason: 'TunnelUp', message: 'The Pod of the tunnel is ready' } as const;
    return { ...up, message: up.message + simulation(endpoints.pod) };
  }
  if (deployment === undefined)
    return { type, status: 'False', reason: 'TunnelMissing', message: 'The tunnel is not made yet' };
  const trouble = endpoints.pod?.trouble ?? replicaFailureOf(deployment);
  return trouble === undefined
    ? { type, status: 'False', reason: 'TunnelStarting', message: 'The Pod of the tunnel is not ready yet' }
    : { type, status: 'False', reason: 'TunnelBlocked', message: `The Pod of the tunnel does not start: ${trouble}` };
}
