import { type Finding, toConditions } from '../../domain/conditions.ts';
import type { DistributedService, DistributedServiceStatus } from '../../domain/distributed-service.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';
import { childName } from '../../domain/names.ts';
import type { Notice, Status } from '../../domain/plan.ts';
import { isTime } from '../../domain/time.ts';
import type { ChildWork } from '../children.ts';
import { isSameStatus } from '../same-status.ts';
import { addressAt } from './address.ts';
import { findingsOf } from './conditions.ts';
import { backendSelector } from './inputs.ts';
import { noticesOf } from './notices.ts';
import type { Seen } from './seen.ts';
import { decideState } from './state.ts';
import { hasAvailableReplica, isRolledOut } from './tunnel-state.ts';

export interface StatusDecision {
  readonly status: Status & DistributedServiceStatus;
  /** Whether it says anything that the observed status does not. */
  readonly changed: boolean;
  readonly notices: readonly Notice[];
  /** The state is on its way: the next step can be told at once. */
  readonly again: boolean;
}

/** The status of a living service: its state, its conditions and what was found. */
export function decideStatus(owner: DistributedService, seen: Seen, now: string): StatusDecision {
  const findings = findingsOf(owner, seen);
  const { profile, discovery, work, tunnel, claims, endpoints } = seen;
  const { next, goal } = decideState({
    before: owner.status?.state ?? 'Pending',
    deleting: false,
    failed: isFailed(seen, owner),
    waiting: profile.is !== 'usable' || seen.certificates.status !== 'True',
    running: isReady(findings) && isRolledOut(tunnel) && !touchesTunnel(owner, work),
    available: hasAvailableReplica(tunnel) || endpoints.pod?.isServing === true,
  });
  const status = {
    state: next,
    endpoints: discovery.backends,
    activeEndpoints: discovery.backends.filter(({ ready }) => ready).length,
    ...backendSelector(owner, seen.workload),
    ...(profile.is === 'usable'
      ? {
          serverProfile: profileName(profile.configMap),
          ...(claims.conflict === undefined && addressAt(owner.spec, profile.profile)),
        }
      : {}),
  };
  const decided = complete(owner, { status, findings, writes: work.writes.length > 0 }, now);
  const notices = noticesOf(owner, { ...decided.status, repaired: work.repaired });
  return { ...decided, notices, again: next !== goal };
}

function isReady(findings: readonly Finding[]): boolean {
  return findings.some(({ type, status }) => type === 'Ready' && status === 'True');
}

interface Draft {
  readonly status: DistributedServiceStatus;
  readonly findings: readonly Finding[];
  readonly writes: boolean;
}

/** Adds what every status has. `lastReconciled` moves only when something else does (or it would itself be news). */
export function complete(
  owner: DistributedService,
  { status: draft, findings, writes }: Draft,
  now: string,
): Pick<StatusDecision, 'status' | 'changed'> {
  const before = owner.status ?? {};
  const status = {
    ...draft,
    observedGeneration: owner.metadata.generation ?? 0,
    conditions: toConditions(findings, before.conditions ?? [], now),
  };
  const last = isTime(before.lastReconciled) ? before.lastReconciled : undefined;
  const same = isSameStatus({ ...status, ...(last !== undefined && { lastReconciled: last }) }, before);
  const lastReconciled = same && !writes && last !== undefined ? last : now;
  return { status: { ...status, lastReconciled }, changed: !same };
}

function isFailed({ profile, certificates, work, refusal, claims }: Seen, { status }: DistributedService): boolean {
  if (refusal !== undefined || certificates.failed || work.foreign.length > 0 || claims.conflict !== undefined)
    return true;
  if (profile.is === 'usable') return false;
  // A profile that is not there yet may be on its way; one that a running service has lost is for a person.
  return profile.is !== 'missing' || (status?.state ?? 'Pending') !== 'Pending';
}

/** Whether this plan changes what the Pod of the tunnel is started from. */
function touchesTunnel({ metadata }: DistributedService, { writes }: ChildWork): boolean {
  const roles = ['tunnel', 'config', 'tls', 'identity'] as const;
  const names = new Set(roles.map((role) => childName(metadata.name, role)));
  return writes.some(
    (write) => 'object' in write && write.object.kind !== 'Service' && names.has(write.object.metadata.name),
  );
}

function profileName(configMap: KubeObject): string {
  const { namespace, name } = refOf(configMap);
  return `${namespace}/${name}`;
}
