import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Outgoing } from '../../../controller/domain/change.ts';
import { KnudgeError } from '../../../controller/domain/errors.ts';
import type { DeadLetter, EventLog, RecordedEvent } from '../../../controller/domain/event-log.ts';
import type { LogApiParts } from '../../api/route.ts';
import { received } from '../store/event.ts';
import { freshLog } from '../store/fresh.ts';
import { type Answered, type Asking, askLog } from './serve-log.ts';

let log: EventLog;
const sent: Outgoing[] = [];
const broker = { isAway: false };

before(async () => {
  log = await freshLog(() => Date.parse('2026-03-01T12:00:00Z'));
  for (let n = 1; n <= 130; n += 1) {
    await log.append(received({ id: `e/${n}`, type: n % 2 === 0 ? 'even' : 'odd', data: { n } }));
  }
  await log.append(received({ id: '5' }));
  await log.append(received({ id: '7777' }));
  const knativeerrordest = 'http://pod-changed.knudge.svc.cluster.local';
  await log.appendDeadLetter(received({ extensions: { knativeerrordest, color: 'red' }, data: { a: 1 } }));
  await log.appendDeadLetter(received({ id: 'e-2' }));
  await log.noteGap({ from: 'a', to: 'b', events: 3, reason: 'full' });
});
after(async () => {
  await log.close();
});

async function ask(url: string, given: Asking = {}, parts: Partial<LogApiParts> = {}): Promise<Answered> {
  const send = async (event: Outgoing): Promise<void> => {
    if (broker.isAway) throw new KnudgeError('unavailable', 'the Broker cannot be reached');
    sent.push(event);
  };
  return askLog(url, given, { log, send, ...parts });
}

const json = <Value>({ status, headers, body }: Answered): Value => {
  assert.deepEqual([status, headers['content-type']], [200, 'application/json']);
  return JSON.parse(body) as Value;
};
const idsIn = ({ events }: { readonly events: readonly RecordedEvent[] }) => events.map(({ id }) => id);
const post = (body = '') => ({ method: 'POST', body }) as const;

suite('GET /events', () => {
  test('is a page, newest first, with the way to the next', async () => {
    const page = json<{ events: RecordedEvent[]; next: string }>(await ask('/events'));
    assert.equal(page.events.length, 100);
    assert.deepEqual(idsIn(page).slice(0, 3), ['7777', '5', 'e/130']);
    assert.equal(page.next, '/events?before=33');
    const rest = json<{ events: RecordedEvent[]; next?: string }>(await ask(page.next));
    assert.deepEqual([rest.events.length, rest.next], [32, undefined]);
  });

  test('keeps its filters on the way to the next', async () => {
    const page = json<{ events: RecordedEvent[]; next: string }>(await ask('/events?type=odd&limit=2&kind=ConfigMap'));
    assert.deepEqual(idsIn(page), ['e/129', 'e/127']);
    const next = json<{ events: RecordedEvent[] }>(await ask(page.next));
    assert.deepEqual(idsIn(next), ['e/125', 'e/123']);
  });

  test('is a line for each where that is asked for', async () => {
    for (const [url, accept] of [
      ['/events?limit=3&format=ndjson', '*/*'],
      ['/events?limit=3', 'application/x-ndjson'],
    ] as const) {
      const { headers, body } = await ask(url, { headers: { accept } });
      assert.equal(headers['content-type'], 'application/x-ndjson');
      assert.match(headers['link'] ?? '', /^<\/events\?.*before=130>; rel="next"$/);
      const lines = body
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as RecordedEvent).id);
      assert.deepEqual(lines, ['7777', '5', 'e/130']);
    }
  });

  test('goes on the other way where that is asked for', async () => {
    const page = json<{ events: RecordedEvent[]; next: string }>(
      await ask('/events?order=oldest-first&after=4&limit=2'),
    );
    assert.deepEqual([idsIn(page), page.next], [['e/5', 'e/6'], '/events?order=oldest-first&after=6&limit=2']);
    assert.deepEqual(idsIn(json(await ask(page.next))), ['e/7', 'e/8']);
    const end = json<{ events: RecordedEvent[]; next?: string }>(await ask('/events?order=oldest-first&after=130'));
    assert.deepEqual([idsIn(end), end.next], [['5', '7777'], undefined]);
  });

  test('says how many there are on all pages', async () => {
    const { total } = json<{ total: number }>(await ask('/events?type=odd&limit=2&total=true'));
    assert.equal(total, 65);
    const { headers } = await ask('/events?limit=2&total=true&format=ndjson');
    assert.equal(headers['knudge-total'], '132');
    assert.equal('total' in json<object>(await ask('/events?limit=2&total=false')), false);
  });

  test('ends a page of large events early', async () => {
    const large = { extensions: {}, source: '/s', type: 't', recorded: '', time: '', data: 'x'.repeat(2_000_000) };
    const events: EventLog['events'] = async ({ before = 1000 }, { limit }) =>
      Array.from({ length: limit }, (_, n) => ({ ...large, id: `${before - n - 1}`, seq: before - n - 1 }));
    const page = json<{ events: unknown[]; next: string }>(
      await ask('/events?limit=1000', {}, { log: { ...log, events } }),
    );
    assert.deepEqual([page.events.length, page.next], [50, '/events?limit=1000&before=950']);
  });
});

test('GET /events/{id} gives one by its place, else by its id', async () => {
  const idAt = async (path: string) => json<RecordedEvent>(await ask(path)).id;
  assert.equal(await idAt('/events/5'), 'e/5');
  assert.equal(await idAt('/events/7777'), '7777');
  assert.equal(await idAt('/events/e%2F5'), 'e/5');
  const missing = await ask('/events/none');
  assert.deepEqual([missing.status, JSON.parse(missing.body).code], [404, 'not-found']);
});

test('GET /gaps lists them', async () => {
  const { gaps } = json<{ gaps: unknown[] }>(await ask('/gaps'));
  assert.deepEqual(gaps, [{ from: 'a', to: 'b', events: 3, reason: 'full' }]);
});

suite('dead letters', () => {
  test('are listed by their state', async () => {
    const { deadLetters } = json<{ deadLetters: DeadLetter[] }>(await ask('/dead-letters?state=open&id=e-1'));
    assert.deepEqual(
      deadLetters.map(({ seq, times }) => [seq, times]),
      [[1, 1]],
    );
  });

  test('are sent again with what they had, and a mark', async () => {
    broker.isAway = true;
    const away = await ask('/dead-letters/1/retry', post());
    assert.deepEqual([away.status, away.code, away.headers['retry-after']], [503, 'unavailable', '1']);
    broker.isAway = false;
    const letter = json<DeadLetter>(await ask('/dead-letters/1/retry', post()));
    assert.equal(letter.state, 'sent-again');
    const time = '2026-03-01T12:00:00.000Z';
    const about = { apiversion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'settings' };
    const extensions = { ...about, color: 'red', knudgereplay: 'true' };
    assert.deepEqual(sent, [{ id: 'e-1', type: 'a.b.update', source: '/s', time, extensions, data: { a: 1 } }]);
  });

  test('stay open where they fail once more before the Broker answers', async () => {
    const failing = received({ id: 'e-3' });
    await log.appendDeadLetter(failing);
    const letter = json<DeadLetter>(
      await ask('/dead-letters/3/retry', post(), { send: () => log.appendDeadLetter(failing) }),
    );
    assert.deepEqual([letter.state, letter.times], ['open', 2]);
  });

  test('are discarded with a note', async () => {
    const letter = json<DeadLetter>(await ask('/dead-letters/2/discard', post('{"note":"known"}')));
    assert.deepEqual([letter.state, letter.note, sent.length], ['discarded', 'known', 1]);
  });

  for (const [sentence, path, asking, wanted] of [
    ['one that is not there', '/dead-letters/99/retry', post(), 404],
    ['one that has no number', '/dead-letters/x/discard', post(), 404],
    ['a GET that would change something', '/dead-letters/1/retry', {}, 405],
    ['a POST to a list', '/events', post(), 405],
    ['no JSON', '/dead-letters/1/discard', post('{'), 'invalid-json'],
    ['a note that is no text', '/dead-letters/1/discard', post('{"note":1}'), 'invalid-request'],
    ['a note that is too long', '/dead-letters/1/discard', post(`{"note":"${'x'.repeat(1001)}"}`), 'invalid-request'],
    ['JSON that is no object', '/dead-letters/1/discard', post('1'), 'invalid-json'],
  ] as const) {
    test(`${sentence} is refused`, async () => {
      const { status, code } = await ask(path, asking);
      assert.equal(typeof wanted === 'number' ? status : code, wanted);
    });
  }
});
