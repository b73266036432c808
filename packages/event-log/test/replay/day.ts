import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { message } from '../../../../test/build/objects.ts';
import { seeded } from '../../../../test/faults/input/random.ts';
import { versionsOf } from '../../../../test/faults/mesh/at-rest.ts';
import { createTenant } from '../../../../test/faults/mesh/changes.ts';
import { pickedPod } from '../../../../test/faults/mesh/objects.ts';
import { staysAtRest } from '../../../../test/faults/mesh/rest.ts';
import { openStage, type Stage } from '../../../../test/faults/mesh/stage.ts';
import { until } from '../../../../test/kube/until.ts';
import type { HopLine } from '../../../../test/mesh/running-mesh.ts';
import type { RecordedEvent } from '../../../controller/domain/event-log.ts';
import { type KubeObject, refOf } from '../../../controller/domain/kube-object.ts';
import { ticks } from '../../replay/read.ts';
import { readSqlite } from '../../store/sqlite.ts';
import { withoutClock, withoutSources, withServer } from './edits.ts';
import { lastTold } from './last-told.ts';
import { sourcesAreQuiet } from './quiet-sources.ts';
import { sendAgain } from './send-again.ts';
import { differences, shapesOf } from './shape.ts';
import type { Writes } from './write-count.ts';

/** Where a day is recorded and replayed. */
export interface Where {
  readonly namespace: string;
  /** Of `knudge dev`. */
  readonly args: readonly string[];
  readonly edit?: (object: KubeObject) => KubeObject;
  readonly changes: number;
  /** What the functions of this stage have written since the last look. */
  readonly writes: (stage: Stage) => Writes;
  /** Empties the cluster, where the next mesh is to find the same. */
  readonly clear?: () => Promise<void>;
}

const seed = Number(process.env['SEED'] ?? 20261122);
const patienceSeconds = 120;
const graceMs = 61_000;

/** Many things happen in a mesh, and are replayed over it, into a cluster without parents, and into one that has them. */
export async function replayDay(context: TestContext, where: Where): Promise<void> {
  const began = performance.now();
  const say = (text: string): void =>
    context.diagnostic(`${((performance.now() - began) / 1000).toFixed(1)} s: ${text} (SEED=${seed})`);
  const { namespace } = where;
  const { events, wanted, told } = await recordDay(context, where, say);
  await where.clear?.();
  const stage = await start(context, where, withoutSources);
  const writes = where.writes(stage);
  const changes = events.filter(({ type }) => !ticks.includes(type));
  await stage.person.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });

  await context.test('replayed where there are no parents it makes nothing', async () => {
    writes();
    await sendAgain(changes, stage.mesh());
    assert.deepEqual(writes(), []);
    assert.deepEqual([...(await shapesOf(stage.reader(), namespace)).keys()], []);
  });

  await context.test(
    'replayed where there are the parents that the log told of last, it makes the same again',
    async () => {
      // No event reports a Pod that a service finds by a selector: the log cannot know it.
      for (const object of [...told, pickedPod(namespace)]) await stage.person.create(object);
      await until(
        'the backends run',
        () => backendsRun(stage, namespace, [...told, pickedPod(namespace)]),
        patienceSeconds,
      );
      const bare = await shapesOf(stage.reader(), namespace);
      assert.ok(bare.size < wanted.size / 2, `${bare.size} objects of ${wanted.size} are there before`);
      assert.deepEqual(writes(), [], 'nobody nudges here');
      await sendAgain(changes, stage.mesh());
      assert.deepEqual(differences(wanted, await shapesOf(stage.reader(), namespace)), []);
      say(
        `counted: ${changes.length} of ${events.length} events replayed into an empty cluster made nothing, and beside its ${told.length} parents and inputs all ${wanted.size} objects again in ${writes().length} writes`,
      );
    },
  );
  await stage.close();
}

async function recordDay(context: TestContext, where: Where, say: (text: string) => void) {
  const { namespace, changes } = where;
  const stage = await start(context, where, withoutClock);
  const { random, person } = { random: seeded(seed), person: stage.person };
  const crowd = Array.from({ length: 12 }, (_, n) => message(`crowd-${n}`, `text ${n}`, { namespace }));
  const tenant = createTenant(namespace, { random, person, crowd });
  for (const object of tenant.given) await person.create(withServer(object, namespace));
  await stage.converged(tenant.wanted(), patienceSeconds);
  for (let change = 1; change <= changes; change += 1) {
    await tenant.next().do();
    if (change % 40 === 0) await stage.resync(tenant.wanted());
  }
  await stage.converged(tenant.wanted(), patienceSeconds);
  // What was let go is kept a minute, and the first resync after that takes it away.
  await sleep(graceMs);
  await stage.resync(tenant.wanted());
  await sourcesAreQuiet(stage);
  await staysAtRest(stage, tenant.wanted());
  const { events, missing } = await recorded(stage);
  const kinds = new Set(events.map(({ type, kind }) => `${type} ${kind ?? ''}`));
  say(`${changes} changes are over: ${events.length} events of ${kinds.size} kinds are in the log, ${missing} are not`);
  assert.ok(events.length > changes * 2, `${events.length} events`);
  assert.ok(missing <= events.length / 50, `${missing} events are missing in the log`);

  const writes = where.writes(stage);
  await context.test('replayed over the cluster where it came true it writes nothing', async () => {
    const before = await versionsOf(stage.reader(), namespace);
    writes();
    const sent = await sendAgain(events, stage.mesh());
    await until('what comes of it is over', async () => (await stage.resync(tenant.wanted())) === 0);
    const all = writes();
    const leases = all.filter((write) => write.endsWith('/leases/knudge-resync'));
    assert.deepEqual(
      all.filter((write) => !leases.includes(write)),
      [],
    );
    assert.deepEqual(await versionsOf(stage.reader(), namespace), before);
    const after = await recorded(stage);
    assert.equal(after.events.filter(({ extensions }) => extensions['knudgereplay'] !== undefined).length, 0);
    say(
      `counted: ${sent} events replayed over the converged cluster: no write but ${leases.length} to the Lease that tells of the resyncs among them`,
    );
  });
  const wanted = await shapesOf(stage.reader(), namespace);
  const told = await lastTold(events, namespace, ({ apiVersion, kind }) =>
    stage.reader().list({ apiVersion, kind, namespace, labelSelector: '' }),
  );
  const parents = tenant.wanted().parents.map((parent) => `${parent.kind} ${parent.metadata.name}`);
  const known = told.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  assert.deepEqual(
    parents.filter((parent) => !known.includes(parent)),
    [],
    'the log has told of every parent',
  );
  // Functions that run must take their finalizers off.
  for (const parent of where.clear === undefined ? [] : tenant.wanted().parents) await person.delete(refOf(parent));
  if (where.clear !== undefined)
    await until('all parents are gone', () => noParents(stage, namespace), patienceSeconds);
  await stage.close();
  return { events, wanted, told };
}

async function start(context: TestContext, { args, edit = same }: Where, change: Edit): Promise<Stage> {
  const stage = await openStage({ args, edit: (object) => edit(change(object)) });
  context.after(stage.close);
  // The Lease has whole seconds, and that of a mesh before this one may be there.
  const began = Date.now() - 1000;
  stage.start();
  await stage.up();
  // The resync at the start of a mesh is over when its Lease says so: nobody else nudges then.
  const lease = { namespace: 'knudge', name: 'knudge-resync' };
  const isOver = async () => ((await stage.reader().renewed(lease)) ?? 0) > began || stage.mesh().hops.filter(ofResync);
  await until('the first resync is over', isOver, patienceSeconds);
  return stage;
}

/** What shows why a resync is not whole: its own answers, and the events that it could not send. */
function ofResync({ kind, trigger, status }: HopLine): boolean {
  return kind === 'warning' || (kind === 'delivered' && (trigger === 'knudge/resync-due' || Number(status) >= 300));
}

type Edit = (object: KubeObject) => KubeObject;

const same: Edit = (object) => object;

/** What the mesh has kept, oldest first, and how many events of its sources it has not. */
async function recorded(stage: Stage): Promise<{ events: readonly RecordedEvent[]; missing: number }> {
  const reader = readSqlite(join(stage.dir, 'events.db'));
  const events: RecordedEvent[] = [];
  for (let more = true; more; ) {
    const after = events.at(-1)?.seq ?? 0;
    const page = await reader.events({ after }, { order: 'oldest-first', limit: 500 });
    events.push(...page);
    more = page.length > 0;
  }
  reader.close();
  const kept = new Set(events.map(({ id }) => id));
  const sent = stage.mesh().hops.filter(({ kind }) => kind === 'sent' || kind === 'lost');
  const missing = sent.filter((hop) => !kept.has((hop['event'] as { id: string }).id)).length;
  return { events, missing };
}

async function noParents(stage: Stage, namespace: string): Promise<unknown> {
  const all = [...(await shapesOf(stage.reader(), namespace)).keys()];
  return !all.some((name) => /^(Message|DistributedService) /.test(name)) || all;
}

async function backendsRun(stage: Stage, namespace: string, told: readonly KubeObject[]): Promise<unknown> {
  const wanted = told.filter(({ kind }) => kind === 'Pod').map(({ metadata }) => metadata.name);
  const pods = await stage.reader().list({ apiVersion: 'v1', kind: 'Pod', namespace, labelSelector: '' });
  const ready = pods.filter((pod) => JSON.stringify(Reflect.get(pod, 'status')).includes('"phase":"Running"'));
  return wanted.every((name) => ready.some(({ metadata }) => metadata.name === name)) || ready.length;
}
