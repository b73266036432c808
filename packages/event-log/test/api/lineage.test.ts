import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Written } from '../../../controller/domain/delivery.ts';
import type { EventLog, RecordedEvent } from '../../../controller/domain/event-log.ts';
import { causesOf, eventAt } from '../../api/causes.ts';
import { historyOf } from '../../api/history.ts';
import { lineageOf } from '../../api/lineage.ts';
import { summarised } from '../../api/summaries.ts';
import { delivered } from '../store/delivery-cases.ts';
import { received } from '../store/event.ts';
import { freshLog } from '../store/fresh.ts';

const begin = Date.parse('2026-03-01T12:00:00Z');
const update = 'dev.knative.apiserver.resource.update';
const write = (parts: Partial<Written>): Written => ({
  do: 'create',
  kind: 'Pod',
  namespace: 'shop',
  name: 'p',
  uid: 'u-p',
  resourceVersion: '2',
  shared: true,
  ...parts,
});
const of = (id: string, ms: number) => ({ event: { id, source: '/s' }, at: new Date(begin + ms).toISOString() });

async function open(context: TestContext) {
  const clock = { now: begin };
  const log = await freshLog(() => clock.now);
  context.after(() => log.close());
  const pod = (version: string) => {
    const data = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', uid: 'u-p', resourceVersion: version } };
    return log.append(received({ id: `p-${version}`, type: update, extensions: { kind: 'Pod', name: 'p' }, data }));
  };
  const at = async (seq: number) => (await eventAt(log, seq)) as RecordedEvent;
  return { log, pod, at, clock };
}

/** The same log, and how many questions it was asked, in all and at most at a time. */
function counting(log: EventLog) {
  const asked = { all: 0, now: 0, atOnce: 0 };
  const count = <Given extends unknown[], Result>(read: (...given: Given) => Promise<Result>) => {
    return async (...given: Given): Promise<Result> => {
      asked.all += 1;
      asked.now += 1;
      asked.atOnce = Math.max(asked.atOnce, asked.now);
      return read(...given).finally(() => {
        asked.now -= 1;
      });
    };
  };
  return { asked, log: { events: count(log.events), deliveries: count(log.deliveries) } };
}

test('what Knudge itself wrote later is not shown as made by somebody else, however many events shared the run', async (context) => {
  const { log, pod, at } = await open(context);
  for (let n = 1; n <= 60; n += 1) await log.append(received({ id: `e-${n}` }));
  for (let n = 1; n <= 60; n += 1)
    await log.appendDeliveries([delivered({ ...of(`e-${n}`, n), written: [write({})] })]);
  await pod('2');
  const apply = write({ do: 'own', resourceVersion: '7' });
  await log.appendDeliveries([delivered({ ...of('e-60', 900), written: [apply] })]);
  await pod('7');
  await pod('8');
  const { log: counted, asked } = counting(log);
  const { deliveries } = await lineageOf(counted, await at(1));
  assert.deepEqual(
    deliveries[0]?.made[0]?.events.map(({ id }) => id),
    ['p-2', 'p-8'],
  );
  assert.ok(asked.all < 300, `${asked.all} questions`);
});

test('a chain asks a bounded number of questions, says that it is cut, and stops when nobody waits', async (context) => {
  const { log } = await open(context);
  const first = { seq: 1, recorded: '', id: 'e-1', source: '/s', type: update, time: '', extensions: {} };
  const delivery = (seq: number) => ({
    ...delivered({ written: Array.from({ length: 50 }, (_, n) => write({ uid: `u-${seq}-${n}` })) }),
    seq,
  });
  const endless: Pick<EventLog, 'events' | 'deliveries'> = {
    events: async () => [],
    deliveries: async (_, { limit }) => Array.from({ length: limit }, (_one, n) => delivery(n)),
  };
  const { log: counted, asked } = counting({ ...log, ...endless });
  assert.deepEqual([(await lineageOf(counted, first)).cut, asked.all], [true, 2000]);
  const over = new AbortController();
  const stopping = counting({ ...log, ...endless });
  const shown = lineageOf(stopping.log, first, over.signal);
  over.abort();
  await assert.rejects(shown, { code: 'unavailable' });
  assert.ok(stopping.asked.all < 10);
});

test('the history of an object without versions asks a few questions at a time, and those for one time once', async (context) => {
  const { log, clock } = await open(context);
  const extensions = { kind: 'Secret', name: 'token' };
  await log.append(received({ id: 'e-0' }));
  const secret = write({ kind: 'Secret', name: 'token', uid: 'u-s' });
  await log.appendDeliveries([delivered({ ...of('e-0', 0), written: [secret] })]);
  for (let n = 1; n <= 150; n += 1) {
    clock.now = begin + n * 100;
    await log.append(received({ id: `s-${n}`, type: 'dev.knative.apiserver.ref.update', extensions }));
  }
  const { log: counted, asked } = counting(log);
  const { versions } = await historyOf(counted, { kind: 'Secret', namespace: 'shop', name: 'token' }, { limit: 150 });
  assert.deepEqual(new Set(versions.map(({ causes }) => causes[0]?.event?.id)), new Set(['e-0']));
  assert.ok(asked.atOnce <= 4, `${asked.atOnce} at a time`);
  assert.ok(asked.all < 2 * 150 + 30, `${asked.all} questions`);
});

test('a version is compared with the one before it, however far down the log that is and whatever asked in between', async (context) => {
  const { log } = await open(context);
  const extensions = { apiversion: 'myorg.dev/v1', kind: 'Message', name: 'm' };
  const show = (version: string, text: string) => {
    const metadata = { name: 'm', uid: 'u-m', resourceVersion: version };
    const data = { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata, spec: { text } };
    return log.append(received({ id: `m-${version}`, type: update, extensions, data }));
  };
  await show('1', 'a');
  for (let n = 1; n <= 20; n += 1)
    await log.append(received({ id: `r-${n}`, type: 'dev.knudge.resync.requested', extensions, data: undefined }));
  await show('2', 'b');
  const object = { kind: 'Message', namespace: 'shop', name: 'm' };
  const changes = [{ field: '/spec/text', before: 'a', after: 'b' }];
  for (const limit of [1, 2, 20, 21, 50]) {
    const { versions } = await historyOf(log, object, { limit });
    assert.deepEqual(versions[0]?.changes, changes, `a page of ${limit}`);
  }
  const [newest] = await log.events({}, { order: 'newest-first', limit: 1 });
  assert.ok(newest);
  assert.deepEqual((await summarised(log, [newest]))[0]?.changed, ['spec.text']);
});

test('a write that began after an event is not its cause', async (context) => {
  const { log, clock, at } = await open(context);
  clock.now = begin + 1000;
  const extensions = { kind: 'Secret', name: 'token' };
  await log.append(received({ id: 's-1', type: 'dev.knative.apiserver.ref.update', extensions }));
  const secret = write({ kind: 'Secret', name: 'token', uid: 'u-s' });
  await log.appendDeliveries([delivered({ ...of('e-0', 1500), written: [secret] })]);
  assert.deepEqual(await causesOf(log, await at(1)), []);
});

test('the last try is the newest of many, in a list and in a history', async (context) => {
  const { log, at } = await open(context);
  await log.append(received({ type: update }));
  const tries = Array.from({ length: 60 }, (_, n) =>
    delivered({ ...of('e-1', n), attempt: n + 1, outcome: 'conflict' }),
  );
  await log.appendDeliveries([...tries, delivered({ ...of('e-1', 99), attempt: 61 })]);
  const [summary] = await summarised(log, [await at(1)]);
  assert.deepEqual(summary?.outcomes, [{ function: 'message-changed', outcome: 'done', writes: 1 }]);
  const { versions } = await historyOf(log, { kind: 'ConfigMap', namespace: 'shop', name: 'settings' }, { limit: 1 });
  assert.deepEqual(versions[0]?.deliveries.at(-1)?.attempt, 61);
});

test('what an event was sent after is of a type that sends it, and came before it', async (context) => {
  const { log, at } = await open(context);
  const sent = { ...received({ id: 'r-1/u-m', type: 'dev.knudge.resync.requested' }), source: '/knudge/resync-due' };
  await log.append(received({ id: 'r-1', type: 'dev.knative.sources.ping' }));
  await log.append({ ...received({ id: 'r-1', type: 'of-somebody-else' }), source: '/t' });
  await log.append(sent);
  await log.append({ ...received({ id: 'r-1', type: 'dev.knative.sources.ping' }), source: '/u' });
  const causes = await causesOf(log, await at(3));
  assert.deepEqual(
    causes.map(({ event }) => event?.seq),
    [1],
  );
});
