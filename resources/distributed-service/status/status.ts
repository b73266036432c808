import type { ChildWork } from '../../../packages/controller/decide/children.ts';
import { isSameStatus } from '../../../packages/controller/decide/same-status.ts';
import { type Answer, toConditions } from '../../../packages/controller/domain/conditions.ts';
import type { Notice, Status } from '../../../packages/controller/domain/plan.ts';
import { isTime } from '../../../packages/controller/domain/time.ts';
import { addressAt } from '../discovery/address.ts';
import { backendSelector } from '../discovery/backend-selector.ts';
import { childName } from '../names.ts';
import type { Seen } from '../seen.ts';
import type { DistributedService, DistributedServiceStatus } from '../types.ts';
import { findingsOf, openAmong, summaryOf } from './conditions.ts';
import { noticesOf } from './notices.ts';
import { decideState, stateBefore } from './state.ts';
import { hasAvailableReplica, isRolledOut } from './tunnel-state.ts';

export interface StatusDecision {
  readonly status: Status & DistributedServiceStatus;
  /** Whether it says anything that the observed status does not. */
  readonly changed: boolean;
  readonly notices: readonly Notice[];
  /** The state is not at its goal yet: another pass writes the next step at once. */
  readonly again: boolean;
}

/** The status of a living service: its state, its conditions and what was found. */
export function decideStatus(owner: DistributedService, seen: Seen, now: string): StatusDecision {
  const { profile, discovery, work, tunnel, claims, endpoints, serverProfile, identityDigest, exposureDigest } = seen;
  const parts = findingsOf(owner, seen);
  const open = openAmong(owner, parts);
  // The next pass, which follows at once, does what this one leaves: so the tunnel is not current yet.
  const isLeft = claims.pending || seen.hasMore;
  const isCurrent = isRolledOut(tunnel) && !touchesTunnel(owner, work) && !isLeft;
  const { next, goal } = decideState({
    before: stateBefore(owner.status?.state),
    deleting: false,
    failed: isFailed(seen, owner),
    waiting: profile.is !== 'usable' || seen.certificates.status !== 'True',
    running: open === undefined && isCurrent,
    available: hasAvailableReplica(tunnel) || endpoints.pod?.isServing === true,
  });
  const status = {
    state: next,
    endpoints: discovery.backends,
    activeEndpoints: discovery.backends.filter(({ ready }) => ready).length,
    ...backendSelector(owner, seen.scaling.workload),
    ...scaledBy(owner, seen),
    ...(serverProfile !== undefined && { serverProfile }),
    ...(profile.is === 'usable' && claims.mark !== undefined && addressAt(owner.spec, profile.profile)),
    ...(identityDigest !== undefined && { identityDigest }),
    ...(exposureDigest !== undefined && { exposureDigest }),
  };
  const findings = [...parts, ...summaryOf(next, open, endpoints.pod)];
  const decided = complete(owner, { status, findings, isUnderWay: seen.hasMore, writes: work.writes.length > 0 }, now);
  const notices = noticesOf(owner, { ...decided.status, repaired: work.repaired });
  return { ...decided, notices, again: next !== goal };
}

interface Draft {
  readonly status: DistributedServiceStatus;
  readonly findings: readonly Answer[];
  readonly writes: boolean;
  /** This generation of the spec is not carried out yet, so `observedGeneration` stays as it was. */
  readonly isUnderWay?: boolean;
}

/** Adds the fields that every status has. `lastReconciled` changes only together with something else, since it would be a change itself. */
export function complete(
  owner: DistributedService,
  { status: draft, findings, writes, isUnderWay = false }: Draft,
  now: string,
): Pick<StatusDecision, 'status' | 'changed'> {
  const before = owner.status ?? {};
  const observedGeneration = isUnderWay ? (before.observedGeneration ?? 0) : (owner.metadata.generation ?? 0);
  const told = findings.map((finding) => ({ ...finding, observedGeneration }));
  const status = { ...draft, observedGeneration, conditions: toConditions(told, before.conditions ?? [], now) };
  const last = isTime(before.lastReconciled) ? before.lastReconciled : undefined;
  const same = isSameStatus({ ...status, ...(last !== undefined && { lastReconciled: last }) }, before);
  const lastReconciled = same && !writes && last !== undefined ? last : now;
  return { status: { ...status, lastReconciled }, changed: !same };
}

function isFailed(
  { profile, certificates, work, refusal, claims, scaling, held }: Seen,
  { status }: DistributedService,
): boolean {
  if (
    refusal !== undefined ||
    certificates.failed ||
    work.foreign.length > 0 ||
    (claims.conflict ?? claims.denied) !== undefined
  )
    return true;
  if (scaling.conflict !== undefined || held !== undefined) return true;
  if (profile.is === 'usable') return false;
  // A profile that is not there yet may be on its way; one that a running service has lost is for a person.
  return profile.is !== 'missing' || (status?.state ?? 'Pending') !== 'Pending';
}

/** Whether this plan changes the Deployment of the tunnel, or a file that its Pod reads when it starts. */
function touchesTunnel({ metadata }: DistributedService, { writes }: ChildWork): boolean {
  const roles = ['tunnel', 'config', 'tls', 'identity'] as const;
  const names = new Set(roles.map((role) => childName(metadata.name, role)));
  return writes.some(
    (write) => 'object' in write && write.object.kind !== 'Service' && names.has(write.object.metadata.name),
  );
}

/** The scale for the status. If the API server refused this pass, the workload was not scaled, so the old one stays. */
function scaledBy(
  { status }: DistributedService,
  { scaling, refusal }: Seen,
): Pick<DistributedServiceStatus, 'scaled'> {
  const scaled = refusal === undefined || scaling.writes.length === 0 ? scaling.scaled : status?.scaled;
  return scaled === undefined ? {} : { scaled };
}
