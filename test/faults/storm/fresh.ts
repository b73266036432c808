import { belongsTo } from '../../../packages/controller/decide/owned.ts';
import { controllerOf, type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { manager } from '../../../packages/controller/domain/names.ts';
import { drain } from '../../../packages/controller/testing/sim/drain.ts';
import type { Due } from '../../../packages/controller/testing/sim/run.ts';
import type { Snapshot } from '../../../packages/controller/testing/sim/snapshot.ts';
import type { Finding, Trace } from '../../../packages/controller/testing/trace.ts';
import { pick } from '../../../packages/controller/testing/trace-words.ts';
import { cleanupFinalizer, labels } from '../../../resources/distributed-service/names.ts';
import { isParent, keyOfObject, ownerOfChild, parentsIn } from '../oracles/accessors.ts';
import { compare } from '../oracles/differences.ts';
import { conditionsOf } from '../oracles/o8-status.ts';
import { emptyCluster, resync, userOf } from '../sim/prepare.ts';
import { startSimulation } from '../sim/simulation.ts';
import { withNamedAddresses } from './named-addresses.ts';
import { parents } from './operation.ts';

/**
 * The same wishes, told to a cluster that knows no history, must end in the same state: what a storm has left at rest is
 * compared, through the masks of O2, with a new cluster into which everything goes that is not Knudge's, all of it sound.
 */
export async function differsFromFresh(trace: Trace): Promise<readonly Finding[]> {
  const empty = await emptyCluster();
  const wishes = wishesAmong(trace.resting, empty);
  const fresh = await freshTrace(wishes, { ...empty, now: trace.now });
  const running = runningIn(trace.resting).filter((key) => runningIn(fresh.resting).includes(key));
  const known = { ...fresh, changes: [...trace.changes, ...fresh.changes] };
  const behind = behindTheHalted(trace.resting);
  const differences = compare(
    { trace: known, objects: comparedAmong(fresh.resting, running, behind) },
    { trace, objects: comparedAmong(trace.resting, running, behind) },
  );
  return differences.map((what) => ({ oracle: 'O2', what: `not as in a new cluster with the same wishes: ${what}` }));
}

/** Everything that does not wait for anybody, by its key: a Message, and a service that runs. */
function runningIn(objects: readonly KubeObject[]): readonly string[] {
  const isRunning = (object: KubeObject) => object.kind === 'Message' || pick(object, 'status', 'state') === 'Running';
  return parentsIn(objects).filter(isRunning).map(keyOfObject);
}

/**
 * Parents and their children. A service that cannot run keeps what it had when it could, so of such a one only what is
 * wrong with it is compared, not how far it had come before.
 */
function comparedAmong(
  objects: readonly KubeObject[],
  running: readonly string[],
  behind: ReadonlySet<string>,
): readonly KubeObject[] {
  const isRunning = (parent: KubeObject | undefined) => parent !== undefined && running.includes(keyOfObject(parent));
  const parentsThere = parentsIn(objects)
    .filter((parent) => isWanted(parent) && !behind.has(parent.metadata.name))
    .map((parent) => (isRunning(parent) ? parent : outlineOf(parent)));
  const children = objects.filter((object) => isRunning(ownerOfChild(object, objects)));
  return withNamedAddresses([...parentsThere, ...children.map(withoutPortsOfOthers)], objects);
}

/**
 * Who waits for what one holds that cannot run now: its tunnel still has it, as it was when it could. In a new cluster that one has
 * never held anything.
 */
function behindTheHalted(objects: readonly KubeObject[]): ReadonlySet<string> {
  const running = runningIn(objects);
  const runs = new Set(
    parentsIn(objects).flatMap((one) => (running.includes(keyOfObject(one)) ? [one.metadata.name] : [])),
  );
  const claims = objects.filter(({ kind }) => kind === 'Claim');
  const halted = claims.filter(
    (one) => pick(one, 'spec', 'state') === 'Held' && !servicesOf(one).every((name) => runs.has(name)),
  );
  const names = new Set(halted.map(({ metadata }) => metadata.name));
  const waiting = claims.filter(({ metadata }) => names.has(metadata.labels?.[labels.claim] ?? ''));
  return new Set(waiting.flatMap(servicesOf));
}

/** What is being deleted nobody wants any more; whether it may still be there is O6's to judge. */
function isWanted({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp === undefined;
}

/** A port that somebody has put beside ours stays, as server-side apply has it. */
function withoutPortsOfOthers(object: KubeObject): KubeObject {
  const ports = pick(object, 'spec', 'ports');
  if (object.kind !== 'Service' || !Array.isArray(ports)) return object;
  const entries = (object.metadata.managedFields ?? []).filter((entry) => pick(entry, 'manager') === manager);
  const own = new Set(entries.flatMap((entry) => Object.keys(pick(entry, 'fieldsV1', 'f:spec', 'f:ports') ?? {})));
  const isOwn = (port: unknown): boolean =>
    own.has(`k:${JSON.stringify({ port: pick(port, 'port'), protocol: pick(port, 'protocol') ?? 'TCP' })}`);
  const { spec } = object as KubeObject & { readonly spec: object };
  return { ...object, spec: { ...spec, ports: ports.filter(isOwn) } } as KubeObject;
}

/** Pending, Provisioning, Updating or Failed is how far it had come before it had to wait: that a status remembers. */
function outlineOf(parent: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = parent;
  const { name, namespace = '' } = metadata;
  const state = pick(parent, 'status', 'state');
  const valid = conditionsOf(parent).find(({ type }) => type === 'ConfigurationValid');
  const status = { state: state === 'Running' ? state : 'waits', valid: valid?.status, reason: valid?.reason };
  return { apiVersion, kind, metadata: { name, namespace }, status } as KubeObject;
}

interface Wishes {
  readonly inputs: readonly KubeObject[];
  readonly parents: readonly KubeObject[];
  /** The names of those that hold something at an FRP server. */
  readonly holders: ReadonlySet<string>;
}

/** All that somebody wants: neither made by Knudge nor by the cluster. */
function wishesAmong(objects: readonly KubeObject[], empty: Snapshot): Wishes {
  const there = new Set(empty.objects.map(({ object }) => keyOfObject(object as unknown as KubeObject)));
  const wished = objects.filter((object) => !there.has(keyOfObject(object)) && isWish(object, objects));
  return {
    inputs: wished.filter((one) => !isParent(one)),
    parents: wished.filter((one) => isParent(one) && isWanted(one)),
    holders: new Set(objects.filter((one) => pick(one, 'spec', 'state') === 'Held').flatMap(servicesOf)),
  };
}

/** Of the cluster, and Claims, which Knudge makes. */
const nobodysWish: ReadonlySet<string> = new Set(['Event', 'Endpoints', 'EndpointSlice', 'ServiceAccount', 'Claim']);

function isWish(object: KubeObject, among: readonly KubeObject[]): boolean {
  if (nobodysWish.has(object.kind) || controllerOf(object) !== undefined) return false;
  // Without its owner reference a child is still known by its label, and waits to be mended until its parent can run.
  if (parentsIn(among).some((parent) => belongsTo(object, parent) === 'ours')) return false;
  if (object.metadata.name === 'kube-root-ca.crt') return false;
  // An authority is Knudge's; it stays as long as its profile, whether anybody needs it or not.
  return object.metadata.labels?.[labels.authority] === undefined;
}

async function freshTrace({ inputs, parents: wanted, holders }: Wishes, from: Snapshot): Promise<Trace> {
  const simulation = startSimulation({ from, seed: 3, parents });
  const user = userOf(simulation);
  for (const namespace of inputs.filter(({ kind }) => kind === 'Namespace')) await user.create(bare(namespace));
  await drain(simulation);
  for (const object of inputs.filter(({ kind }) => kind !== 'Namespace')) await user.create(bare(object));
  await drain(simulation);
  for (const pod of inputs.filter(({ kind }) => kind === 'Pod')) {
    const conditions = pick(pod, 'status', 'conditions');
    const phase = pick(pod, 'status', 'phase');
    if (conditions !== undefined) await user.patch(refOf(pod), { status: { conditions, phase } });
  }
  let before = '';
  for (const parent of wanted.toSorted((one, other) => (bornAt(one) < bornAt(other) ? -1 : 1))) {
    // Who is older scales what two want to scale: the younger comes later here, too.
    if (before !== bornAt(parent)) simulation.clock.pass(1000);
    before = bornAt(parent);
    await user.create(bare(parent));
  }
  // And who holds what two want was heard of first.
  const turnOf = ({ ref }: Due): number => (holders.has(ref?.name ?? '') ? 0 : 1);
  simulation.queue.sort((one, other) => turnOf(one) - turnOf(other));
  try {
    await resync(simulation);
    await resync(simulation);
    return simulation.trace(simulation.cluster.api.client.all());
  } finally {
    simulation.close();
  }
}

function bornAt({ metadata }: KubeObject): string {
  return metadata.creationTimestamp ?? '';
}

function servicesOf(claim: KubeObject): readonly string[] {
  const services = pick(claim, 'spec', 'services');
  return (Array.isArray(services) ? services : []).map((one) => String(pick(one, 'name')));
}

/** As a person would write it down. */
function bare(object: KubeObject): KubeObject {
  const { status, ...rest } = object as KubeObject & { readonly status?: unknown };
  const { name, namespace, labels: own, annotations: notes = {}, finalizers = [] } = object.metadata;
  const kept = finalizers.filter((one) => one !== cleanupFinalizer);
  const mine = Object.entries(notes).filter(([key]) => !key.includes('kubernetes.io/'));
  const metadata = {
    name,
    annotations: Object.fromEntries(mine),
    ...(namespace !== undefined && { namespace }),
    ...(own !== undefined && { labels: own }),
    ...(kept.length > 0 && { finalizers: kept }),
  };
  return { ...withoutAddresses(rest), metadata };
}

function withoutAddresses(object: KubeObject): KubeObject {
  if (object.kind !== 'Service') return object;
  const { spec, ...rest } = object as KubeObject & { readonly spec: Readonly<Record<string, unknown>> };
  const { clusterIP, clusterIPs, ...others } = spec;
  return { ...rest, spec: clusterIP === 'None' ? spec : others } as KubeObject;
}
