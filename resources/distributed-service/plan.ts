import { type ChildWork, isLeaving, planChildren } from '../../packages/controller/decide/children.ts';
import { notHeld } from '../../packages/controller/decide/not-held.ts';
import { paceApplies } from '../../packages/controller/decide/overridden.ts';
import { belongsTo } from '../../packages/controller/decide/owned.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { Observed, Plan, Write } from '../../packages/controller/domain/plan.ts';
import { type CertificateFinding, findCertificates } from './certificates/certificate-finding.ts';
import { mountsOf, stopping } from './children/foreign-mounts.ts';
import { nudgeOf } from './children/nudge.ts';
import { tunnelPodOf } from './children/tunnel-pod.ts';
import { findWorkload } from './children/workload.ts';
import { findClaims } from './claims/claims.ts';
import { type ScalerLabels, scalerLabels } from './claims/scaler-labels.ts';
import { type Cleanup, planCleanup } from './cleanup.ts';
import { desiredChildren, hasProxy } from './desired.ts';
import { discover } from './discovery/backends.ts';
import { podLayout } from './envoy/data-plane.ts';
import { versionOf } from './envoy/live-endpoints.ts';
import { findProfile, type ProfileFinding } from './frp/profile.ts';
import { gateStatus } from './gate/gate-status.ts';
import type { Given } from './given.ts';
import { inputs } from './inputs.ts';
import { cleanupFinalizer } from './names.ts';
import type { Seen } from './seen.ts';
import { problemOf } from './spec/problem.ts';
import { shapeProblemOf } from './spec/shape.ts';
import { decideLeavingStatus } from './status/leaving-status.ts';
import { decideStatus, type StatusDecision } from './status/status.ts';
import { hasAvailableReplica } from './status/tunnel-state.ts';
import { decideUnreadableStatus } from './status/unreadable-status.ts';
import type { DistributedService } from './types.ts';

/** Nobody else may mount anything in these folders of the Pod of a tunnel. */
const ownFolders = [podLayout.configPath, podLayout.endpointsPath, podLayout.identityPath, podLayout.tlsPath];

/** The plan for a service, whether it lives or is being deleted. */
export function planFor(observed: Observed<DistributedService>, given: Given): Plan {
  return isLeaving(observed.owner) ? planDeletion(observed, given) : planService(observed, given);
}

function planService(observed: Observed<DistributedService>, given: Given): Plan {
  const { owner, children } = observed;
  const lacking = shapeProblemOf(owner.spec);
  if (lacking !== undefined) return planUnreadable(owner, lacking, given.now);
  const profile = usableProfile(observed, given);
  const certificates = findCertificates(observed, given, profile);
  const discovery = discover(observed, given.apiServer);
  const claims = findClaims(observed, profile, given);
  const scaler = scalerLabels(observed);
  const mounts = mountsOf(observed, profile);
  const desired = desiredChildren(observed, given, { profile, certificates, discovery, claims, scaler, mounts });
  const planned = planChildren(owner, { desired, observed: children, mounts: ownFolders });
  const { writes: paced, overridden } = paceApplies(planned.writes, given);
  const work = { ...planned, writes: notHeld(paced, owner, given) };
  const { rotation = [] } = certificates;
  const scaling = findWorkload(observed, scaler.pending);
  const scalings = [...stopping(observed, mounts), ...scaling.writes];
  const before = [...finalizer(owner), ...claims.writes, ...authority(certificates)];
  const changes = [...before, ...work.writes, ...scalings, ...rotation];
  // After a refusal this pass writes the status alone: the next change, or the resync, tries the rest again.
  const writes = given.refusal === undefined ? notHeld(changes, owner, given) : [];
  const { refusal } = given;
  const tunnel = ownTunnel(observed);
  const pods = observed.inputs.get(inputs.tunnelPods) ?? [];
  const pod = tunnelPodOf(pods);
  const endpoints = { wanted: versionOf(desired.get('endpoints')), live: given.live, pod };
  const published = {
    server: profile.is === 'usable' && hasProxy(owner) ? profile.profile : undefined,
    pod,
    isAvailable: hasAvailableReplica(tunnel),
    why: given.live === 'unreachable' ? given.live : given.live?.unpublished,
  };
  const isUnderWay = certificates.newAuthority !== undefined || claims.pending || work.again;
  const hasMore = refusal === undefined && (isUnderWay || tellsScaler(scaler, work));
  const decided = decideStatus(
    owner,
    {
      profile,
      certificates,
      discovery,
      claims,
      work,
      tunnel,
      ...gateStatus(observed, { claims, profile, writes, hash: given.hash }),
      endpoints,
      published,
      scaling,
      held: heldOf(given, overridden),
      refusal,
      hasMore,
    },
    given.now,
  );
  const nudge = nudgeOf(owner, writes, pods);
  return {
    writes: withStatus(writes, decided),
    notices: decided.notices,
    ...(nudge && { nudge }),
    again: decided.again || hasMore,
  };
}

/** The reason why Knudge holds writes back now; undefined if it holds none back. */
function heldOf({ held }: Given, overridden: string | undefined): Seen['held'] {
  if (held !== undefined) return { reason: 'Flapping', message: held.message };
  return overridden === undefined ? undefined : { reason: 'Overridden', message: overridden };
}

/** The Deployment of the tunnel. One with its name that belongs to somebody else does not count. */
function ownTunnel({ owner, children }: Observed<DistributedService>): KubeObject | undefined {
  const tunnel = children.get('tunnel');
  return tunnel !== undefined && belongsTo(tunnel, owner) === 'ours' ? tunnel : undefined;
}

/** Whether these writes set the label of the workload that the service scales. Then the next pass reads the labels of others. */
function tellsScaler({ pending, labels }: ScalerLabels, { writes }: ChildWork): boolean {
  const [key = ''] = Object.keys(labels);
  return pending && writes.some((write) => 'object' in write && write.object.metadata.labels?.[key] !== undefined);
}

/** The plan for a spec that lacks a part that every decision reads: the status reports it, and the children stay as they are. */
function planUnreadable(owner: DistributedService, problem: string, now: string): Plan {
  const decided = decideUnreadableStatus(owner, problem, now);
  return { writes: withStatus([], decided), notices: decided.notices, again: false };
}

/** The server profile. A spec that makes no sense counts as an invalid profile, because it must stop the same things. */
function usableProfile(observed: Observed<DistributedService>, { apiServer }: Given): ProfileFinding {
  const problem = problemOf(observed.owner.spec);
  return problem === undefined
    ? findProfile(observed, apiServer)
    : { is: 'invalid', reason: 'InvalidSpec', message: problem };
}

/** The status is written last, also if it is unchanged: if the API server accepts it, the owner is still the version that was read (R3). */
function withStatus(writes: readonly Write[], { status, changed }: StatusDecision): readonly Write[] {
  return changed || writes.length > 0 ? [...writes, { do: 'status', status }] : [];
}

/** Adds the finalizer, before anything outside the cluster knows the service. */
function finalizer({ metadata }: DistributedService): Write[] {
  const finalizers = metadata.finalizers ?? [];
  return finalizers.includes(cleanupFinalizer)
    ? []
    : [{ do: 'finalizers', finalizers: [...finalizers, cleanupFinalizer] }];
}

function authority(certificates: CertificateFinding): Write[] {
  return certificates.newAuthority === undefined ? [] : [{ do: 'create', object: certificates.newAuthority }];
}

/** An object that is deleted in the background is gone at once, so the next step need not wait for an event. */
function isImmediate(write: Write): boolean {
  return write.do === 'delete' && write.propagation === 'Background';
}

function planDeletion(observed: Observed<DistributedService>, given: Given): Plan {
  const { owner } = observed;
  const nothing: Plan = { writes: [], notices: [], again: false };
  const all = owner.metadata.finalizers ?? [];
  const others = all.filter((name) => name !== cleanupFinalizer);
  const isOurs = others.length < all.length;
  // Our clean-up is over, or never began, and no finalizer of others keeps the object. The status below reports such a finalizer.
  if (!isOurs && others.length === 0) return nothing;
  const cleanup = isOurs ? planCleanup(observed, given) : over;
  // The object is gone with its last finalizer. Only an object that stays needs a status.
  const isLast = others.length === 0 && given.refusal === undefined && given.held === undefined;
  if (cleanup.done && isLast) return { ...nothing, writes: cleanup.writes };
  const decided = decideLeavingStatus(owner, { ...cleanup, others }, given);
  const writes = given.refusal === undefined ? notHeld(cleanup.writes, owner, given) : [];
  return { writes: withStatus(writes, decided), notices: decided.notices, again: writes.some(isImmediate) };
}

const over: Cleanup = { writes: [], remaining: [], blocked: false, done: true };
