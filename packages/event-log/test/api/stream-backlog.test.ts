import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../../test/kube/until.ts';
import type { EventLog, RecordedEvent } from '../../../controller/domain/event-log.ts';
import type { LogApiParts } from '../../api/route.ts';
import { received } from '../store/event.ts';
import { freshLog } from '../store/fresh.ts';
import { openStream } from './open-stream.ts';
import { serveLog } from './serve-log.ts';

async function start(context: TestContext, streams: LogApiParts['streams'] = {}, more: Partial<EventLog> = {}) {
  const log = await freshLog();
  const server = await serveLog({ log: { ...log, ...more }, send: async () => undefined, streams });
  context.after(async () => {
    server.close();
    await log.close();
  });
  return { log, ...server };
}

/** A log that has a million events, and how often it was read. */
function longLog() {
  const reads = { count: 0 };
  const events: EventLog['events'] = async ({ after = 1_000_000 }, { limit }) => {
    reads.count += 1;
    await sleep(1);
    const one = { recorded: '', source: '/s', type: 't', time: '', extensions: {} };
    return Array.from({ length: limit }, (_, n) => ({ ...one, seq: after + n + 1, id: `e-${after + n + 1}` }));
  };
  return { reads, events };
}

test('of a client that goes while it is shown a long log nothing is read any more', async (context) => {
  const { reads, events } = longLog();
  const { url } = await start(context, {}, { events });
  const stream = await openStream(context, `${url}/stream?after=0`);
  await stream.take(50);
  stream.close();
  await until('nothing is read any more', async () => {
    const before = reads.count;
    await sleep(500);
    return reads.count === before || reads.count;
  });
  assert.ok(reads.count < 20_000, `${reads.count} reads`);
});

test('a stream ends after its longest time, also amid a long log, at the place of what it has sent', async (context) => {
  const { url } = await start(context, { longest: 300 }, { events: longLog().events });
  const stream = await openStream(context, `${url}/stream?after=0`);
  await stream.ended;
  const ids = stream.text().match(/^id: .*$/gm) ?? [];
  const last = /.*^data: (.*)$/ms.exec(stream.text())?.[1] ?? '{}';
  assert.equal(ids.at(-1), `id: ${(JSON.parse(last) as RecordedEvent).seq}-0`);
});

test('a stream ends with its process, also amid a long log', async (context) => {
  const { url, leave } = await start(context, {}, { events: longLog().events });
  const stream = await openStream(context, `${url}/stream?after=0`);
  await stream.take(1);
  leave();
  await stream.ended;
});

test('a client that begins with another log is shown this one from its beginning', async (context) => {
  const { url, log } = await start(context);
  await log.append(received({ id: 'e-1' }));
  await log.appendDeadLetter(received({ id: 'd-1' }));
  const stream = await openStream(context, `${url}/stream`, { 'last-event-id': '129-7' });
  const shown = (await stream.take(2)).map(({ name, id, data }) => [name, id, (data as RecordedEvent).id]);
  assert.deepEqual(shown, [
    ['event', '1-0', 'e-1'],
    ['dead-letter', '1-1', 'd-1'],
  ]);
});
