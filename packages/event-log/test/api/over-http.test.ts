import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { EventLog } from '../../../controller/domain/event-log.ts';
import { serve } from '../../../controller/test/cluster/loopback.ts';
import { logOverHttp } from '../../api/over-http.ts';
import type { LogApiParts } from '../../api/route.ts';
import { logCases } from '../store/cases.ts';
import { received } from '../store/event.ts';
import { freshLog, store } from '../store/fresh.ts';
import { memoryLog } from '../store/memory-log.ts';
import { serveLog } from './serve-log.ts';

const closers: (() => void)[] = [];
after(() => {
  for (const close of closers) close();
});
const send = async (): Promise<void> => undefined;

/** What is written goes into the store, what is read comes over HTTP. */
async function open(now: () => number): Promise<EventLog> {
  const log = await freshLog(now);
  const server = await serveLog({ log, send });
  closers.push(server.close);
  return { ...log, ...logOverHttp({ url: server.url }) };
}

logCases(`${store}, read over HTTP`, { open });

suite('a log over HTTP', () => {
  const page = { order: 'oldest-first', limit: 5000 } as const;

  test('is read over the ends of pages, whichever way', async () => {
    const log = await open(Date.now);
    const data = 'x'.repeat(20_000);
    await Promise.all(Array.from({ length: 1100 }, (_, n) => log.append(received({ id: `e-${n}`, data }))));
    const seqs = (await log.events({}, page)).map(({ seq }) => seq);
    assert.deepEqual(
      seqs,
      Array.from({ length: 1100 }, (_, n) => n + 1),
    );
    const newest = await log.events({ after: 90 }, { order: 'newest-first', limit: 1005 });
    assert.deepEqual([newest.length, newest[0]?.seq, newest.at(-1)?.seq], [1005, 1100, 96]);
    await log.close();
  });

  const { log } = memoryLog(() => 'works');
  const reviews = { good: 'allowed', weak: 'forbidden', bad: 'unauthenticated' } as const;
  const check: LogApiParts['check'] = async (token) => reviews[token as keyof typeof reviews];
  for (const [token, wanted] of [
    ['good', undefined],
    ['weak', { code: 'not-permitted', message: /answers 403: this needs the verb get on the nonResourceURL \/events/ }],
    ['bad', { code: 'unauthenticated', message: /answers 401: the API server does not know this token/ }],
  ] as const) {
    test(`shows its token: ${token}`, async () => {
      const server = await serveLog({ log, send, check });
      closers.push(server.close);
      const reading = logOverHttp({ url: server.url, token: async () => token }).events({}, page);
      if (wanted === undefined) assert.deepEqual(await reading, []);
      else await assert.rejects(reading, wanted);
    });
  }

  test('posts JSON, and gives what is answered', async (context) => {
    const server = await serve(context, () => ({ body: { state: 'discarded' } }));
    const answer = await logOverHttp({ url: server.url }).post('/dead-letters/7/discard', { note: 'known' });
    assert.deepEqual(answer, { state: 'discarded' });
    const [{ method, url, headers, body } = {}] = server.seen;
    assert.deepEqual([method, url, body], ['POST', '/dead-letters/7/discard', '{"note":"known"}']);
    assert.equal(headers?.['content-type'], 'application/json');
  });

  for (const [sentence, reply, wanted] of [
    ['a code of Knudge', { status: 503, body: { code: 'throttled', message: 'wait' } }, ['throttled', /503: wait$/]],
    ['a code of nobody', { status: 404, body: { code: 'not-found' } }, ['invalid-request', /answers 404$/]],
    ['a proxy', { status: 502, body: '<html>' }, ['unavailable', /answers 502$/]],
    ['a fault', { status: 500, body: 'oops' }, ['unexpected-answer', /answers 500$/]],
    ['something else', { status: 200, body: '<html>' }, ['unexpected-answer', /is not an event log/]],
  ] as const) {
    test(`is not read where ${sentence} answers`, async (context) => {
      const { url } = await serve(context, () => reply);
      const [code, message] = wanted;
      await assert.rejects(logOverHttp({ url }).count({}, 'events'), { code, message });
    });
  }

  test('is unavailable where nobody answers, for the reason that is known best', async (context) => {
    const { url } = await serve(context, (_, response) => {
      response.destroy();
      return undefined;
    });
    const reading = (said?: string) => logOverHttp({ url, said: () => said }).gaps(page);
    await assert.rejects(reading('no Pod'), { code: 'unavailable', message: 'the event log does not answer: no Pod' });
    await assert.rejects(reading(), { code: 'unavailable', message: /does not answer: other side closed/ });
  });
});
