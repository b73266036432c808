import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podChanged } from '../../../../functions/pod-changed.ts';
import { type MemoryCluster, memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { message } from '../../../../test/build/objects.ts';
import type { Change } from '../../domain/change.ts';
import { type KubeObject, type ObjectRef, refOf } from '../../domain/kube-object.ts';
import { annotations } from '../../domain/names.ts';
import type { Handler } from '../../domain/ports.ts';
import { itselfChanged } from '../../functions/itself-changed.ts';
import { keepKnownVersions } from '../../react/known-versions.ts';
import { reactOn } from './react-on.ts';

const podRef = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'msg-hello' };

/** As the source of Knative reports it. */
function eventOf(hint: KubeObject, over: Partial<Change> = {}): Change {
  return { id: '1', verb: 'updated', ref: refOf(hint), hint, ...over };
}

async function thatIs(cluster: MemoryCluster, ref: ObjectRef): Promise<KubeObject> {
  const object = await cluster.get(ref);
  assert.ok(object);
  return object;
}

/** Both functions of a Message in one process: each event wakes the one that takes it. */
const both: Handler = (change, context) =>
  change.ref.kind === 'Pod' ? podChanged(change, context) : itselfChanged(change, context);

/** A Message whose Pod has been made. */
async function started() {
  const cluster = memoryCluster();
  const { handle } = reactOn(cluster, { handle: both, kind: 'any' });
  const hello = cluster.put(message());
  const answer = async (change: Change) => {
    const outcomes = await handle(change, { dryRun: false });
    return outcomes.reduce((sum, { reads, writes }) => ({ reads: sum.reads + reads, writes: sum.writes + writes }), {
      reads: 0,
      writes: 0,
    });
  };
  assert.deepEqual(await answer(eventOf(hello, { verb: 'added' })), { reads: 2, writes: 2 });
  return { cluster, answer };
}

const nothing = { reads: 0, writes: 0 };

test('an event that tells of nothing but an own write costs no read: of the status, and of the child', async () => {
  const { cluster, answer } = await started();
  assert.deepEqual(await answer(eventOf(await thatIs(cluster, refOf(message())))), nothing);
  assert.deepEqual(await answer(eventOf(await thatIs(cluster, podRef), { verb: 'added' })), nothing);
});

test('an event of a version that a run has read, and left nothing to do about, costs no read, however often it comes', async () => {
  const { cluster, answer } = await started();
  const pod = await thatIs(cluster, podRef);
  const labelled = cluster.put({
    ...pod,
    metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, by: 'hand' } },
  });
  assert.deepEqual(await answer(eventOf(labelled)), { reads: 2, writes: 0 }, 'nobody has read it yet');
  assert.deepEqual(await answer(eventOf(labelled)), nothing);
  assert.deepEqual(await answer(eventOf(await thatIs(cluster, refOf(message())))), nothing);
  const { hint: _, ...bare } = eventOf(labelled, { verb: 'requested' });
  const again = cluster.put({ ...labelled, metadata: { ...labelled.metadata, labels: pod.metadata.labels ?? {} } });
  assert.deepEqual(await answer({ ...bare, ref: refOf(message()) }), { reads: 2, writes: 0 }, 'somebody asks');
  assert.deepEqual(await answer(eventOf(again)), nothing, 'read by then');
});

test('an event that tells nothing new names the parent that it is about, so that nobody takes it for an event about nobody', async () => {
  const cluster = memoryCluster();
  const { handle } = reactOn(cluster, { handle: both, kind: 'any' });
  const hello = eventOf(cluster.put(message()), { verb: 'added' });
  await handle(hello, { dryRun: false });
  const [outcome] = await handle(hello, { dryRun: false });
  assert.deepEqual(outcome, { result: 'ignored', reads: 0, writes: 0, parents: [refOf(message())] });
});

test('what a run has read and must write over is known with its answer, and what comes after it is looked at', async () => {
  const { cluster, answer } = await started();
  const before = await thatIs(cluster, refOf(message()));
  const changed = cluster.put({ ...before, spec: { text: 'another' } } as KubeObject);
  assert.deepEqual(
    await answer(eventOf(changed)),
    { reads: 2, writes: 2 },
    'the Pod goes: what comes of that is not known',
  );
  const waiting = await thatIs(cluster, refOf(message()));
  assert.deepEqual(await answer(eventOf(waiting)), { reads: 2, writes: 2 }, 'there is another');
  assert.deepEqual(await answer(eventOf(waiting)), nothing, 'written over');
  assert.deepEqual(
    await answer(eventOf(await thatIs(cluster, refOf(message())))),
    nothing,
    'as the answer to that said',
  );
  const later = cluster.put({ ...(await thatIs(cluster, refOf(message()))), spec: { text: 'a third' } } as KubeObject);
  assert.ok((await answer(eventOf(later))).writes > 0);
});

test('an edit under the field manager of Knudge that leaves its hash is looked at, and repaired', async () => {
  const { cluster, answer } = await started();
  const pod = await thatIs(cluster, podRef);
  const edited = cluster.put({ ...pod, metadata: { ...pod.metadata, labels: {} } });
  assert.equal(edited.metadata.annotations?.[annotations.specHash], pod.metadata.annotations?.[annotations.specHash]);
  const { writes } = await answer(eventOf({ ...edited, metadata: { ...edited.metadata, ...kept(pod) } }));
  assert.equal(writes, 2, 'the Pod goes, and the status says so');
});

/** Who edits may leave every mark as it was. */
function kept({ metadata: { managedFields = [] } }: KubeObject): Pick<KubeObject['metadata'], 'managedFields'> {
  return { managedFields };
}

test('what tells of an own write is looked at all the same: replayed, without a version, of a deletion, of the resync', async () => {
  const { cluster, answer } = await started();
  const own = await thatIs(cluster, refOf(message()));
  const { hint: _, ...bare } = eventOf(own);
  const { resourceVersion: _version, ...metadata } = own.metadata;
  const all: readonly Change[] = [
    eventOf(own, { isReplay: true }),
    eventOf({ ...own, metadata }),
    eventOf(own, { verb: 'deleted' }),
    { ...bare, verb: 'requested', byResync: true },
    { ...bare, verb: 'requested' },
  ];
  for (const change of all) assert.deepEqual(await answer(change), { reads: 2, writes: 0 }, JSON.stringify(change));
});

test('a run that failed knows nothing of what it wrote', async () => {
  const cluster = memoryCluster();
  const { handle } = reactOn(cluster, { handle: both, kind: 'any' });
  const hello = cluster.put(message());
  cluster.before = ({ verb }) => {
    if (verb === 'status') throw new Error('the process has no memory');
  };
  await assert.rejects(handle(eventOf(hello, { verb: 'added' }), { dryRun: false }));
  cluster.before = undefined;
  const outcomes = await handle(eventOf(await thatIs(cluster, podRef), { verb: 'added' }), { dryRun: false });
  assert.equal(outcomes[0]?.writes, 1, 'the status that is missing');
});

test('a write that was changed on its way is looked at again', async () => {
  const cluster = memoryCluster();
  const { create } = cluster;
  // As an admission webhook would: what is stored is not what was sent, and the answer says so.
  const spec = { containers: [{ name: 'message', image: 'mirror/other:1' }] };
  cluster.create = async (object) =>
    object.kind === 'Pod' ? create({ ...object, spec } as KubeObject) : create(object);
  const { handle } = reactOn(cluster, { handle: both, kind: 'any' });
  await handle(eventOf(cluster.put(message()), { verb: 'added' }), { dryRun: false });
  const [outcome] = await handle(eventOf(await thatIs(cluster, podRef), { verb: 'added' }), { dryRun: false });
  assert.equal(outcome?.reads, 2);
});

test('an own write of one parent is looked at for another', () => {
  const own = keepKnownVersions();
  const object = { ...message(), metadata: { ...message().metadata, uid: 'u', resourceVersion: '7' } };
  own.note('one', [object]);
  assert.equal(own.isTold('one', eventOf(object)), true);
  assert.equal(own.isTold('another', eventOf(object)), false);
});

test('so many versions are kept, and the oldest go first', () => {
  const own = keepKnownVersions();
  const versioned = (version: number): KubeObject => {
    const metadata = { ...message().metadata, uid: 'u', resourceVersion: String(version) };
    return { ...message(), metadata };
  };
  for (let version = 0; version < 17_000; version += 1) own.note('one', [versioned(version)]);
  assert.equal(own.isTold('one', eventOf(versioned(16_999))), true);
  assert.equal(own.isTold('one', eventOf(versioned(0))), false);
});

test('who waits for a Claim is woken although the version of the event is known', async () => {
  const { cluster } = await started();
  const { handle } = reactOn(cluster, {
    handle: async ({ ref }, { reconcile }) => [
      await reconcile(ref),
      await reconcile(ref),
      await reconcile(ref, { wakes: true }),
      await reconcile(ref, { insists: true }),
    ],
    kind: 'any',
  });
  const outcomes = await handle(eventOf(await thatIs(cluster, refOf(message()))), { dryRun: false });
  assert.deepEqual(
    outcomes.map(({ reads }) => reads),
    [2, 0, 2, 2, 0],
  );
});
