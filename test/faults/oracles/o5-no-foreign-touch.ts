import { canonical } from '../../../packages/controller/decide/canonical.ts';
import { controllerOf, type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { manager, resyncLease } from '../../../packages/controller/domain/names.ts';
import type { Finding, Oracle, Trace, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { findings, nameOf, pick } from '../../../packages/controller/testing/trace-words.ts';
import { annotations, labels } from '../../../resources/distributed-service/names.ts';
import { isNudge, isOfOrphan, isParent, seenObject } from './accessors.ts';
import { type FullChange, historyOf } from './history.ts';
import type { OraclesWith } from './inspection.ts';
import { misledIn } from './misled.ts';

/**
 * O5: no run writes or deletes what is not its parent's, makes anything but a child of a parent that it has read, beside
 * it, or changes of a parent more than finalizers and status. Nothing is ever deleted by a selector.
 * And what is somebody else's is not used either.
 */
export function noForeignTouch(home: Pick<OraclesWith, 'controllerNamespace'>): Oracle {
  return (trace) => touchesIn(trace, home);
}

function touchesIn(trace: Trace, home: Pick<OraclesWith, 'controllerNamespace'>): readonly Finding[] {
  const { found, say } = findings('O5');
  for (const call of trace.calls) {
    if (call.verb === 'delete' && call.ref.name === '') say(`${call.resource} were deleted by a selector`, call.at);
  }
  const known = parentsReadIn(trace);
  for (const change of historyOf(trace).changes) {
    if (change.by.who !== 'run') continue;
    const call = trace.calls.find(({ at }) => change.by.who === 'run' && at === change.by.call);
    const parents = known(change.by.run, change.at);
    const what = call && trespass(change, { call, parents, ...home });
    if (what !== undefined) say(`${nameOf(refOf(change.object))} ${what}`, change.at);
  }
  for (const what of misledIn(trace)) say(what);
  return found;
}

interface Scene extends Pick<OraclesWith, 'controllerNamespace'> {
  readonly call: TracedCall;
  readonly parents: readonly KubeObject[];
}

/** Every version of a parent, and every input, that a run had read by then. */
function parentsReadIn({ calls }: Trace): (run: number, before: number) => readonly KubeObject[] {
  const reads = Map.groupBy(
    calls.filter(({ verb }) => verb === 'get'),
    ({ run }) => run,
  );
  return (run, before) =>
    (reads.get(run) ?? []).flatMap((call) => {
      const object = call.at < before ? seenObject(call) : undefined;
      return object !== undefined && isParent(object) ? [object] : [];
    });
}

function trespass(change: FullChange, scene: Scene): string | undefined {
  const { call, parents, controllerNamespace: home } = scene;
  const { object, type, before } = change;
  if (object.kind === 'Event') return type === 'ADDED' ? eventTrespass(object, parents) : 'is an Event and was changed';
  if (isParent(object)) return parentTrespass(change);
  // It keeps times, and no parent's: the resync writes it, and nothing deletes it.
  if (isLeaseOfResync(object, home) && type !== 'DELETED') return undefined;
  if (object.kind === 'Claim') return call.verb === 'patch-json' ? undefined : claimTrespass(change, scene);
  if (call.resource.endsWith('/scale')) return scaleTrespass(change, parents);
  if (type === 'ADDED') return creationTrespass(object, parents);
  if (before === undefined) return undefined;
  return childTrespass(change, before, scene);
}

/** What is there already is written only for the parent that it is of, but for what is shared or waits to be nudged. */
function childTrespass({ object, type }: FullChange, before: KubeObject, { call, parents }: Scene): string | undefined {
  if (type === 'MODIFIED' && isAuthority(before)) return rotationTrespass(before, parents);
  if (parents.some((parent) => isOf(before, parent))) return undefined;
  if (type === 'MODIFIED' && isNudge(call)) return nudgeTrespass(object, before, parents);
  return `is not of a parent that was read, and was ${type === 'DELETED' ? 'deleted' : 'written'}`;
}

/**
 * A Claim is in the controller's namespace and names services of one namespace. A run writes it for a service that it has read, and takes
 * away what another held only when that one has let it go, or is no more.
 */
function claimTrespass(
  { object, before, type }: FullChange,
  { parents, controllerNamespace }: Scene,
): string | undefined {
  if (object.metadata.namespace !== controllerNamespace) return 'is a Claim outside of the namespace of Knudge';
  const namesAny = (claim: unknown): boolean => {
    const services = pick(claim, 'spec', 'services');
    return (Array.isArray(services) ? services : []).some((one) =>
      parents.some(
        ({ metadata }) => metadata.uid === pick(one, 'uid') && metadata.namespace === pick(claim, 'spec', 'namespace'),
      ),
    );
  };
  if (type === 'ADDED') return namesAny(object) ? undefined : 'is a Claim of nobody who was read';
  if (namesAny(before) || (type === 'MODIFIED' && namesAny(object))) return undefined;
  const state = pick(before, 'spec', 'state');
  return type === 'DELETED' && (state === 'Released' || state === 'Held')
    ? undefined
    : 'is a Claim of others, and was written';
}

function isLeaseOfResync({ kind, metadata }: KubeObject, home: string): boolean {
  return kind === 'Lease' && metadata.name === resyncLease && metadata.namespace === home;
}

function eventTrespass({ metadata, ...event }: KubeObject, parents: readonly KubeObject[]): string | undefined {
  // It is about a child, by whom nothing was written.
  if (isOfOrphan(event) && pick(event, 'regarding', 'namespace') === metadata.namespace) return undefined;
  const about = pick(event, 'regarding', 'uid');
  const parent = parents.find((one) => one.metadata.uid === about);
  if (parent === undefined) return 'is about nothing that was read';
  return parent.metadata.namespace === metadata.namespace ? undefined : 'is not in the namespace of what it is about';
}

/** Of a parent only the finalizers and the status are ours; that it goes with its last finalizer is right. */
function parentTrespass({ type, object, before }: FullChange): string | undefined {
  if (type !== 'MODIFIED' || before === undefined) return undefined;
  const rest = ({ metadata, ...fields }: KubeObject) => {
    const { labels: own, annotations, ownerReferences } = metadata;
    return canonical([{ ...fields, status: undefined }, own, annotations, ownerReferences]);
  };
  return rest(object) === rest(before)
    ? undefined
    : 'is a parent, and more of it was changed than finalizers and status';
}

function scaleTrespass({ object, before }: FullChange, parents: readonly KubeObject[]): string | undefined {
  const isNamed = parents.some((parent) => {
    const workload = pick(parent, 'spec', 'backends', 'workloadRef');
    const isIt = pick(workload, 'kind') === object.kind && pick(workload, 'name') === object.metadata.name;
    return isIt && parent.metadata.namespace === object.metadata.namespace;
  });
  const isStopped = parents.some((parent) => isOf(object, parent)) && pick(object, 'spec', 'replicas') === 0;
  if (!isNamed && !isStopped) return 'was scaled, and no parent that was read names it';
  const rest = (one: KubeObject | undefined) => {
    const spec = pick(one, 'spec');
    return canonical({ ...(typeof spec === 'object' ? spec : {}), replicas: undefined });
  };
  return rest(object) === rest(before) ? undefined : 'is a workload, and more of it was changed than its replicas';
}

/** A Pod of a tunnel is its ReplicaSet's: of it only the annotation is ours that makes its kubelet look. */
function nudgeTrespass(object: KubeObject, before: KubeObject, parents: readonly KubeObject[]): string | undefined {
  const isOfTunnel = parents.some(
    ({ metadata }) =>
      metadata.namespace === object.metadata.namespace && metadata.uid === before.metadata.labels?.[labels.ownerUid],
  );
  if (!isOfTunnel) return 'is of no tunnel of a parent that was read, and was annotated';
  const rest = ({ metadata, ...fields }: KubeObject) => {
    const { annotations: notes = {}, ownerReferences, finalizers } = metadata;
    const others = Object.entries(notes).filter(([key]) => key !== annotations.endpoints);
    return canonical([fields, metadata.labels, ownerReferences, finalizers, Object.fromEntries(others)]);
  };
  return rest(object) === rest(before)
    ? undefined
    : 'is a Pod, and more of it was changed than what makes its kubelet look';
}

function creationTrespass(object: KubeObject, parents: readonly KubeObject[]): string | undefined {
  const { metadata } = object;
  if (metadata.labels?.[labels.managedBy] !== manager) return 'was made without the label that says whose it is';
  if (metadata.labels[labels.authority] !== undefined) return authorityTrespass(object, parents);
  const owner = parents.find((parent) => controllerOf(object)?.uid === parent.metadata.uid);
  if (owner === undefined) return 'was made for no parent that was read';
  return owner.metadata.namespace === metadata.namespace ? undefined : 'was made in another namespace than its parent';
}

/** The authority of a server profile outlives the ConfigMap that describes the server. */
function authorityTrespass(object: KubeObject, parents: readonly KubeObject[]): string | undefined {
  const isOwned = (object.metadata.ownerReferences ?? []).length > 0;
  return isOwned ? 'is a certificate authority, and goes with what owns it' : rotationTrespass(object, parents);
}

/** It is shared by all services of a server profile, and each of them rotates it. What is merely called so is nobody's. */
function rotationTrespass({ metadata }: KubeObject, parents: readonly KubeObject[]): string | undefined {
  const profile = metadata.labels?.[labels.authority];
  const isUsed = parents.some((parent) => pick(parent, 'spec', 'serverProfile') === profile);
  return isUsed ? undefined : 'is the authority of a profile that no parent uses that was read, and was written';
}

function isAuthority({ metadata }: KubeObject): boolean {
  return metadata.labels?.[labels.authority] !== undefined && metadata.labels[labels.managedBy] === manager;
}

/** By the owner reference; by our label only where nobody else controls it (a person may have taken the reference away). */
function isOf(object: KubeObject, { metadata }: KubeObject): boolean {
  if (object.metadata.namespace !== metadata.namespace) return false;
  const controller = controllerOf(object);
  if (controller !== undefined) return controller.uid === metadata.uid;
  return object.metadata.labels?.[labels.ownerUid] === metadata.uid;
}
