import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { select } from '../../store/query.ts';
import { memoryLog } from '../store/memory-log.ts';
import { type Asking, askLog } from './serve-log.ts';

const { log } = memoryLog(() => 'works');
/** Reads times as the stores do. */
const events: typeof log.events = async (filter, page) => {
  select('events', filter, page);
  return [];
};

const ask = (url: string, given: Asking = {}) =>
  askLog(url, given, { log: { ...log, events }, send: async () => undefined });

suite('what is asked wrongly', () => {
  for (const [url, says] of [
    ['/events?limit=0', /limit must be a whole number from 1 to 1000/],
    ['/events?limit=1001', /limit must be/],
    ['/events?before=x', /before must be/],
    ['/events?after=-1', /after must be a whole number from 0/],
    ['/events?order=up', /order must be one of newest-first, oldest-first/],
    ['/events?total=yes', /total must be one of true, false/],
    ['/gaps?limit=0', /limit must be/],
    ['/events?since=yesterday', /"yesterday" is not a time/],
    ['/events?colour=red', /colour is not known here: use one of since,/],
    ['/events?state=open', /state is not known here/],
    ['/events?kind=a&kind=b', /kind is given more than once/],
    ['/events?format=xml', /format must be json or ndjson/],
    ['/dead-letters?state=shut', /state must be one of open,/],
    ['/nothing', /nothing at this path/],
    ['/', /nothing at this path/],
    ['/events/1/retry', /nothing at this path/],
    ['/gaps/1', /nothing at this path/],
    ['/dead-letters/1', /nothing at this path/],
    ['/dead-letters/1/discard/now', /nothing at this path/],
    ['/events/%zz', /not percent-encoded/],
  ] as const) {
    test(`${url} is refused`, async () => {
      const { status, code, body } = await ask(url);
      assert.deepEqual([status, code], [400, 'invalid-request']);
      assert.match((JSON.parse(body) as { message: string }).message, says);
    });
  }

  for (const url of ['/Events', '/events/', '/dead-letters/1/Retry', '//events']) {
    test(`${url} is another path than the one that it resembles`, async () => {
      assert.equal((await ask(url)).code, 'invalid-request');
    });
  }

  for (const [method, url, allow] of [
    ['OPTIONS', '/events', 'GET'],
    ['POST', '/gaps', 'GET'],
    ['GET', '/replay', 'POST'],
    ['HEAD', '/dead-letters/1/retry', 'POST'],
  ] as const) {
    test(`${method} ${url} is refused, and the answer says what is taken`, async () => {
      const { status, headers } = await ask(url, { method });
      assert.deepEqual([status, headers['allow']], [405, allow]);
    });
  }

  test('a body of more than 4096 bytes is refused', async () => {
    const { status, code } = await ask('/replay', { method: 'POST', body: `{"name":"${'x'.repeat(4096)}"}` });
    assert.deepEqual([status, code], [413, 'too-large']);
  });
});

suite('what express would add', () => {
  test('is not in an answer, and HEAD has the headers of GET', async () => {
    const given = await ask('/events');
    const names = Object.keys(given.headers).sort();
    assert.deepEqual(names, ['connection', 'content-length', 'content-type', 'date']);
    const head = await ask('/events', { method: 'HEAD' });
    assert.deepEqual(
      [head.status, head.body, head.headers['content-length']],
      [200, '', given.headers['content-length']],
    );
  });
});
