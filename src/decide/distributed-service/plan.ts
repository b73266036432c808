import type { DistributedService } from '../../domain/distributed-service.ts';
import { childName, childRoles, cleanupFinalizer } from '../../domain/names.ts';
import type { Observed, Plan, Write } from '../../domain/plan.ts';
import { type ChildWork, isLeaving, planChildren, preconditionOf } from '../children.ts';
import type { Given, Resource } from '../resource.ts';
import { discover } from './backends.ts';
import { type CertificateFinding, findCertificates } from './certificate-finding.ts';
import { questionOf } from './certificates.ts';
import { type ClaimFinding, findClaims } from './claims.ts';
import { planCleanup } from './cleanup.ts';
import { desiredChildren } from './desired.ts';
import { inputs, inputsOf } from './inputs.ts';
import { decideLeavingStatus } from './leaving-status.ts';
import { versionOf } from './live-endpoints.ts';
import { nudgeOf } from './nudge.ts';
import { findProfile, type ProfileFinding } from './profile.ts';
import { problemOf } from './spec-problem.ts';
import { shapeProblemOf } from './spec-shape.ts';
import { decideStatus, type StatusDecision } from './status.ts';
import { addressToAsk, tunnelPodOf } from './tunnel-pod.ts';
import { decideUnreadableStatus } from './unreadable-status.ts';

/** A DistributedService: the tunnel that publishes its backends, and a status that says how it stands. */
export const distributedService: Resource = {
  apiVersion: 'frp.io/v1beta1',
  kind: 'DistributedService',
  children: ({ namespace, name }) =>
    new Map(
      Object.entries(childRoles).map(([role, kind]) => [
        role,
        { ...kind, namespace, name: childName(name, role as keyof typeof childRoles) },
      ]),
    ),
  inputs: (owner, controllerNamespace) => inputsOf(owner as DistributedService, controllerNamespace),
  certificates: (observed) => questionOf(typed(observed)),
  tunnelAddress: ({ owner, inputs: found }) =>
    isLeaving(owner) ? undefined : addressToAsk(found.get(inputs.tunnelPods) ?? []),
  decide: (observed, given) => {
    const service = typed(observed);
    return isLeaving(service.owner) ? planDeletion(service, given) : planService(service, given);
  },
};

function typed(observed: Observed): Observed<DistributedService> {
  return { ...observed, owner: observed.owner as DistributedService };
}

function planService(observed: Observed<DistributedService>, given: Given): Plan {
  const { owner, children } = observed;
  const lacking = shapeProblemOf(owner.spec);
  if (lacking !== undefined) return planUnreadable(owner, lacking, given.now);
  const profile = usableProfile(observed, given);
  const certificates = findCertificates(observed, given, profile);
  const discovery = discover(observed, given.apiServer);
  const claims = findClaims(observed, profile);
  const desired = desiredChildren(observed, given, { profile, certificates, discovery, claims });
  const work = planChildren(owner, desired, children);
  const { rotation = [] } = certificates;
  const changes = [...finalizer(owner), ...authority(certificates), ...work.writes, ...scaling(observed), ...rotation];
  // After a refusal only the status is told: the next change, or the resync, tries the rest again.
  const writes = given.refusal === undefined ? changes : [];
  const { refusal } = given;
  const tunnel = children.get('tunnel');
  const workload = observed.inputs.get(inputs.workload)?.[0];
  const pod = tunnelPodOf(observed.inputs.get(inputs.tunnelPods) ?? []);
  const endpoints = { wanted: versionOf(desired.get('endpoints')), live: given.live, pod };
  const decided = decideStatus(
    owner,
    { profile, certificates, discovery, claims, work, tunnel, endpoints, workload, refusal },
    given.now,
  );
  const again =
    decided.again ||
    (refusal === undefined && (certificates.newAuthority !== undefined || tellsClaims(claims, work) || work.again));
  const nudge = nudgeOf(owner, writes);
  return { writes: withStatus(writes, decided), notices: decided.notices, ...(nudge && { nudge }), again };
}

/** What it wants is told with these writes: when it stands, the others' wishes are read anew. */
function tellsClaims({ pending, labels }: ClaimFinding, { writes }: ChildWork): boolean {
  const [key = ''] = Object.keys(labels);
  return pending && writes.some((write) => 'object' in write && write.object.metadata.labels?.[key] !== undefined);
}

/** A spec that lacks what everything is made from: that is told, and what there is stays as it is. */
function planUnreadable(owner: DistributedService, problem: string, now: string): Plan {
  const decided = decideUnreadableStatus(owner, problem, now);
  return { writes: withStatus([], decided), notices: decided.notices, again: false };
}

/** The server profile; a spec that makes no sense is told in its place, and stops the same things. */
function usableProfile(observed: Observed<DistributedService>, { apiServer }: Given): ProfileFinding {
  const problem = problemOf(observed.owner.spec);
  return problem === undefined
    ? findProfile(observed, apiServer)
    : { is: 'invalid', reason: 'InvalidSpec', message: problem };
}

/** The status goes last, also unchanged: that it is taken proves that the owner was still the one that was read (R3). */
function withStatus(writes: readonly Write[], { status, changed }: StatusDecision): readonly Write[] {
  return changed || writes.length > 0 ? [...writes, { do: 'status', status }] : [];
}

/** The finalizer stands before anything outside the cluster can know of the service. */
function finalizer({ metadata }: DistributedService): Write[] {
  const finalizers = metadata.finalizers ?? [];
  return finalizers.includes(cleanupFinalizer)
    ? []
    : [{ do: 'finalizers', finalizers: [...finalizers, cleanupFinalizer] }];
}

function authority(certificates: CertificateFinding): Write[] {
  return certificates.newAuthority === undefined ? [] : [{ do: 'create', object: certificates.newAuthority }];
}

interface Scalable {
  readonly spec?: { readonly replicas?: number };
}

/** The workload that the spec names follows `backends.replicas`. */
function scaling({ owner, inputs: found }: Observed<DistributedService>): Write[] {
  const workload = found.get(inputs.workload)?.[0];
  const { workloadRef, replicas } = owner.spec.backends;
  if (workload === undefined || workloadRef === undefined || isLeaving(workload)) return [];
  if ((workload as Scalable).spec?.replicas === replicas) return [];
  const ref = { ...workloadRef, namespace: owner.metadata.namespace ?? '' };
  return [{ do: 'scale', ref, precondition: preconditionOf(workload), replicas }];
}

/** What is deleted in the background is gone at once, so the next step need not wait for an event. */
function isImmediate(write: Write): boolean {
  return write.do === 'delete' && write.propagation === 'Background';
}

function planDeletion({ owner, children }: Observed<DistributedService>, given: Given): Plan {
  const nothing: Plan = { writes: [], notices: [], again: false };
  if (!(owner.metadata.finalizers ?? []).includes(cleanupFinalizer)) return nothing;
  const cleanup = planCleanup(owner, children, given.now);
  // After the finalizer has gone so has the object: only where it may not go is there a status to write.
  if (cleanup.done && given.refusal === undefined) return { ...nothing, writes: cleanup.writes };
  const decided = decideLeavingStatus(owner, cleanup, given);
  const writes = given.refusal === undefined ? cleanup.writes : [];
  return { writes: withStatus(writes, decided), notices: decided.notices, again: writes.some(isImmediate) };
}
