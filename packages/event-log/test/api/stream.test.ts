import assert from 'node:assert/strict';
import { request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { until } from '../../../../test/kube/until.ts';
import type { DeadLetter, EventLog, RecordedEvent } from '../../../controller/domain/event-log.ts';
import { createFeed } from '../../api/feed.ts';
import type { LogApiParts } from '../../api/route.ts';
import { mostStreams } from '../../api/stream.ts';
import { received } from '../store/event.ts';
import { freshLog } from '../store/fresh.ts';
import { openStream } from './open-stream.ts';
import { askLog, serveLog } from './serve-log.ts';

async function start(context: TestContext, streams: LogApiParts['streams'] = {}, more: Partial<LogApiParts> = {}) {
  const feed = createFeed();
  const log: EventLog = await freshLog(Date.now, () => feed.changed());
  const parts: LogApiParts = { log, feed, send: async () => undefined, streams, ...more };
  const server = await serveLog(parts);
  context.after(async () => {
    server.close();
    await log.close();
  });
  const add = (id: string, type = 'a.b.update') => log.append(received({ id, type }));
  return { log, feed, parts, url: server.url, add };
}

const idOf = ({ data }: { readonly data: unknown }): string => (data as RecordedEvent).id;

test('a stream begins with what comes after it, and says the place of each', async (context) => {
  const { url, add } = await start(context);
  await add('before');
  const stream = await openStream(context, `${url}/stream`);
  assert.deepEqual([stream.status, stream.headers.get('content-type')], [200, 'text/event-stream; charset=utf-8']);
  await add('e-1');
  await add('e-2');
  const [one, two] = await stream.take(2);
  assert.deepEqual([one?.name, one?.id, idOf(one ?? { data: {} })], ['event', '2-0', 'e-1']);
  assert.deepEqual([two?.id, idOf(two ?? { data: {} })], ['3-0', 'e-2']);
});

test('what was written while nobody listened comes after Last-Event-ID, each once', async (context) => {
  const { url, add } = await start(context);
  for (let n = 1; n <= 65; n += 1) await add(`e-${n}`);
  const first = await openStream(context, `${url}/stream?after=0`);
  const taken = await first.take(30);
  first.close();
  await add('e-66');
  const second = await openStream(context, `${url}/stream?after=0`, { 'last-event-id': taken.at(-1)?.id ?? '' });
  const rest = await second.take(36);
  assert.deepEqual(
    [...taken, ...rest].map(idOf),
    Array.from({ length: 66 }, (_, n) => `e-${n + 1}`),
  );
});

test('the filters are those of the list, and the place moves on without what they leave out', async (context) => {
  const { url, add } = await start(context, { heartbeat: 50, look: 20 });
  const stream = await openStream(context, `${url}/stream?type=wanted`);
  await add('e-1', 'other');
  await add('e-2', 'wanted');
  await add('e-3', 'other');
  assert.deepEqual((await stream.take(1)).map(idOf), ['e-2']);
  await stream.until(() => stream.place() === '3-0');
});

test('dead letters come too: new ones, those that fail once more, and those that somebody marks', async (context) => {
  const { url, log, feed } = await start(context, { look: 50 });
  const stream = await openStream(context, `${url}/stream`);
  const lookAt = async (): Promise<readonly unknown[]> =>
    (await stream.take(1)).map(({ name, id, data }) => {
      const { seq, times, state } = data as DeadLetter;
      return [name, id, seq, times, state];
    })[0] ?? [];
  await log.appendDeadLetter(received({ id: 'd-1' }));
  assert.deepEqual(await lookAt(), ['dead-letter', '0-1', 1, 1, 'open']);
  await log.appendDeadLetter(received({ id: 'd-1' }));
  assert.deepEqual(await lookAt(), ['dead-letter', '0-1', 1, 2, 'open']);
  await log.mark({ seq: 1, times: 2 }, 'discarded', 'known');
  feed.changed(1);
  assert.deepEqual(await lookAt(), ['dead-letter', '0-1', 1, 2, 'discarded']);
});

test('what another process writes is found by looking', async (context) => {
  const { url, add } = await start(context, { look: 30 }, { feed: createFeed() });
  const stream = await openStream(context, `${url}/stream`);
  await add('e-1');
  assert.deepEqual((await stream.take(1)).map(idOf), ['e-1']);
});

test('a stream beats while nothing happens, and ends before its longest time, to be gone on with', async (context) => {
  const { url } = await start(context, { look: 10, heartbeat: 40, longest: 200 });
  const stream = await openStream(context, `${url}/stream`);
  await stream.ended;
  const beats = stream.text().match(/^: still here$/gm) ?? [];
  assert.ok(beats.length >= 2 && beats.length <= 5, stream.text());
  assert.match(stream.text(), /^retry: 10$/m);
});

test(`of more than ${mostStreams} streams one is refused, until another ends`, async (context) => {
  const { url } = await start(context, { look: 10 });
  const streams = await Promise.all(Array.from({ length: mostStreams }, () => openStream(context, `${url}/stream`)));
  const refused = await fetch(`${url}/stream`);
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1']);
  assert.equal(((await refused.json()) as { code: string }).code, 'unavailable');
  streams[0]?.close();
  await until('there is room again', async () => {
    const again = await fetch(`${url}/stream`, { method: 'HEAD' });
    return again.status === 200 || again.status;
  });
});

test('a client that does not read is dropped, and costs the others nothing', async (context) => {
  const { url, log } = await start(context, { look: 10, patience: 1000 });
  const data = 'x'.repeat(50_000);
  const { promise, resolve } = Promise.withResolvers<number>();
  const asked = request(`${url}/stream`, (answer) => {
    let bytes = 0;
    answer.pause().once('close', () => resolve(bytes));
    answer
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
    setTimeout(() => answer.resume(), 4000);
  });
  asked.on('error', () => undefined).end();
  const other = await openStream(context, `${url}/stream`);
  await Promise.all(Array.from({ length: 300 }, (_, n) => log.append(received({ id: `e-${n}`, data }))));
  await other.until(() => other.text().length > 300 * data.length);
  assert.ok((await promise) < 300 * 50_000);
});

test('a store that fails ends the stream with the reason', async (context) => {
  const { parts, log } = await start(context, { look: 10 });
  let isAway = false;
  const events: EventLog['events'] = async (...given) => {
    if (isAway) throw new Error('the disk is gone');
    return log.events(...given);
  };
  const server = await serveLog({ ...parts, log: { ...log, events } });
  context.after(server.close);
  const stream = await openStream(context, `${server.url}/stream`);
  isAway = true;
  assert.deepEqual(
    (await stream.take(1)).map(({ name }) => name),
    ['failed'],
  );
  await stream.ended;
});

for (const [asked, headers, says] of [
  ['/stream?limit=1', {}, /limit is not known for a stream/],
  ['/stream?colour=red', {}, /colour is not known here/],
  ['/stream', { 'last-event-id': 'x' }, /Last-Event-ID is not a place in the log/],
] as const) {
  test(`GET ${asked} with ${JSON.stringify(headers)} is refused`, async (context) => {
    const { parts } = await start(context);
    const { status, body } = await askLog(asked, { headers }, parts);
    assert.equal(status, 400);
    assert.match(body, says);
  });
}

test('a stream is for those who may get it', async (context) => {
  const wishes: unknown[] = [];
  const check: LogApiParts['check'] = async (_, wish) => {
    wishes.push(wish);
    return 'forbidden';
  };
  const { parts } = await start(context);
  const asking = { headers: { authorization: 'Bearer t' } };
  assert.equal((await askLog('/stream', asking, { ...parts, check })).status, 403);
  assert.deepEqual(wishes, [{ verb: 'get', path: '/stream' }]);
});
