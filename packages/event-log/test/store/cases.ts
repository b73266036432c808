import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { EventFilter, EventLog, PageRequest } from '../../../controller/domain/event-log.ts';
import { codeOf } from './code-of.ts';
import { received } from './event.ts';

const all: PageRequest = { order: 'newest-first', limit: 100 };
const states = ['open', 'sent-again', 'discarded'] as const;
const start = Date.parse('2026-03-01T12:00:00.000Z');
const minute = 60_000;

export interface CasesWith {
  /** A log of its own that holds nothing yet; `now` in milliseconds since 1970. */
  readonly open: (now: () => number) => Promise<EventLog>;
}

/** What each store must do: the one table of cases. */
export function logCases(name: string, { open }: CasesWith): void {
  async function fresh() {
    const clock = { now: start };
    return { log: await open(() => clock.now), clock };
  }

  suite(`the log in ${name}`, () => {
    test('gives an event back as it came, but for what Knative added', async () => {
      const { log } = await fresh();
      const extensions = { knativearrivaltime: 'x', knativebrokerttl: '254', knativeerrorcode: '500', color: 'grün' };
      const time = '2026-03-01T13:00:00.123456789+02:00';
      assert.equal(await log.append(received({ time, extensions, data: { a: [1, 'ä\u0000'] } })), true);
      assert.deepEqual(await log.events({}, all), [
        {
          ...{ seq: 1, recorded: '2026-03-01T12:00:00.000Z', id: 'e-1', source: '/s', type: 'a.b.update', time },
          ...{ kind: 'ConfigMap', namespace: 'shop', name: 'settings' },
          extensions: { apiversion: 'v1', color: 'grün' },
          data: { a: [1, 'ä\u0000'] },
        },
      ]);
      await log.close();
    });

    test('keeps that an event says it was sent again, and one that was indeed only once', async () => {
      const { log } = await fresh();
      assert.equal(await log.append(received()), true);
      assert.equal(await log.append(received({ extensions: { knudgereplay: 'true' } })), false);
      assert.equal(await log.append(received({ id: 'forged', extensions: { knudgereplay: 'true' } })), true);
      const marks = (await log.events({}, all)).map(({ id, extensions }) => [id, extensions['knudgereplay']]);
      assert.deepEqual(marks, [
        ['forged', 'true'],
        ['e-1', undefined],
      ]);
      await log.close();
    });

    test('keeps 64 KiB of one event and says so, of a dead letter too', async () => {
      const { log } = await fresh();
      const object = { apiVersion: 'v1', kind: 'Message', metadata: { name: 'hello' }, spec: 'x'.repeat(1_000_000) };
      await log.append(received({ data: object }));
      await log.appendDeadLetter(received({ data: object }));
      const data = { ...object, spec: '[not kept]' };
      for (const [found] of [await log.events({}, all), await log.deadLetters({}, all)]) {
        assert.deepEqual(found?.data, data);
        assert.ok((found?.shortened ?? 0) > 1_000_000);
      }
      await log.close();
    });

    test('keeps an event without object, time and data, with the time at which it was kept', async () => {
      const { log } = await fresh();
      await log.append({ id: 'x', source: '/s', type: 't', extensions: new Map(), data: undefined });
      const recorded = '2026-03-01T12:00:00.000Z';
      const event = { seq: 1, recorded, id: 'x', source: '/s', type: 't', time: recorded, extensions: {} };
      assert.deepEqual(await log.events({}, all), [event]);
      await log.close();
    });

    test('keeps the same source and id once, also where both come at once, and each of another source', async () => {
      const { log } = await fresh();
      const twice = await Promise.all([log.append(received()), log.append(received())]);
      assert.deepEqual(twice, [true, false]);
      assert.equal(await log.append(received({ data: 'other' })), false);
      assert.equal(await log.append({ ...received(), source: '/t' }), true);
      assert.equal((await log.events({}, all)).length, 2);
      await log.close();
    });

    test('takes an attribute of the greatest length, or refuses it and nothing beside it', async () => {
      const { log } = await fresh();
      const name = Array.from({ length: 15_000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000))).join(
        '',
      );
      const [odd, ...plain] = await Promise.all([
        codeOf(log.append(received({ id: 'odd', extensions: { name } }))),
        ...['p-1', 'p-2'].map((id) => log.append(received({ id }))),
      ]);
      assert.deepEqual(plain, [true, true]);
      // PostgreSQL cannot index it.
      assert.ok(odd === 'internal' || odd === '');
      await log.close();
    });

    const filters: readonly [sentence: string, filter: EventFilter, wanted: readonly string[]][] = [
      ['nothing: all, newest first', {}, ['e-5', 'e-4', 'e-3', 'e-2', 'e-1', 'e-0']],
      ['a type', { type: 'odd' }, ['e-5', 'e-3', 'e-1']],
      ['a kind', { kind: 'Pod' }, ['e-4', 'e-2', 'e-0']],
      ['a namespace and a name', { namespace: 'shop', name: 'n-2' }, ['e-2']],
      ['an id', { id: 'e-4' }, ['e-4']],
      ['since: that moment counts', { since: '2026-03-01T12:04:00Z' }, ['e-5', 'e-4']],
      ['until: that moment does not', { until: '2026-03-01T14:02:00+02:00' }, ['e-1', 'e-0']],
      ['after a place', { after: 4 }, ['e-5', 'e-4']],
      ['before a place, with a kind', { before: 4, kind: 'Pod' }, ['e-2', 'e-0']],
      ['what there is not', { type: "odd' OR 1=1 --" }, []],
    ];
    test('finds by what a filter says', async (context) => {
      const { log } = await fresh();
      for (let n = 0; n < 6; n += 1) {
        const time = new Date(start + n * minute).toISOString();
        const extensions = { name: `n-${n}`, kind: n % 2 === 0 ? 'Pod' : 'Service' };
        await log.append(received({ id: `e-${n}`, type: n % 2 === 0 ? 'even' : 'odd', time, extensions }));
      }
      const idsOf = async (filter: EventFilter, page = all) => (await log.events(filter, page)).map(({ id }) => id);
      for (const [sentence, filter, wanted] of filters) {
        await context.test(sentence, async () => assert.deepEqual(await idsOf(filter), wanted));
      }
      assert.deepEqual(await idsOf({}, { order: 'oldest-first', limit: 2 }), ['e-0', 'e-1']);
      assert.deepEqual(await idsOf({ before: 5 }, { order: 'newest-first', limit: 2 }), ['e-3', 'e-2']);
      assert.equal(await codeOf(log.events({ since: 'yesterday' }, all)), 'invalid-request');
      assert.deepEqual([await log.count({}, 'events'), await log.count({ kind: 'Pod', after: 1 }, 'events')], [6, 2]);
      assert.deepEqual([await log.count({ id: 'x' }, 'events'), await log.count({}, 'dead-letters')], [0, 0]);
      assert.equal(await codeOf(log.count({ until: 'noon' }, 'events')), 'invalid-request');
      await log.close();
    });

    test('counts a dead letter for each place that did not take it, and opens it again', async () => {
      const { log, clock } = await fresh();
      const failed = (knativeerrordest: string, code = '500', said = 'no') =>
        received({
          extensions: {
            knativeerrordest,
            knativeerrorcode: code,
            knativeerrordata: Buffer.from(said).toString('base64'),
          },
          data: { kind: 'ConfigMap', data: { a: 'b' } },
        });
      await log.appendDeadLetter(failed('http://pod-changed/?dryRun=All'));
      await log.appendDeadLetter(failed('http://user:hunter2@secret-changed/'));
      assert.equal(await log.mark({ seq: 1, times: 1 }, 'discarded', 'not needed'), true);
      assert.equal((await log.deadLetters({ state: 'discarded' }, all))[0]?.note, 'not needed');
      clock.now += minute;
      await log.appendDeadLetter(failed('http://pod-changed/', '503', 'busy: Bearer hunter2 \0'));
      const [other, letter, ...rest] = await log.deadLetters({ state: 'open' }, all);
      assert.deepEqual(rest, []);
      assert.equal(await log.mark({ seq: 1, times: 1 }, 'sent-again'), false, 'it has failed again since it was read');
      assert.deepEqual(await Promise.all(states.map((state) => log.count({ state }, 'dead-letters'))), [2, 0, 0]);
      assert.equal(other?.destination, 'http://secret-changed/');
      assert.equal(other?.times, 1);
      const { data, extensions, ...told } = letter ?? {};
      assert.deepEqual([data, extensions], [{ kind: 'ConfigMap', data: { a: '[not kept]' } }, { apiversion: 'v1' }]);
      assert.deepEqual(told, {
        ...{ seq: 1, recorded: '2026-03-01T12:00:00.000Z', id: 'e-1', source: '/s', type: 'a.b.update' },
        ...{ kind: 'ConfigMap', namespace: 'shop', name: 'settings', time: '2026-03-01T12:00:00.000Z' },
        ...{ destination: 'http://pod-changed/', status: 503, said: 'busy: Bearer [not kept]  ', times: 2 },
        ...{ first: '2026-03-01T12:00:00.000Z', last: '2026-03-01T12:01:00.000Z', state: 'open' },
      });
      assert.deepEqual(await log.events({}, all), []);
      await log.close();
    });

    test('keeps a dead letter whose reason Knative does not give', async () => {
      const { log } = await fresh();
      await log.appendDeadLetter(received());
      const [letter] = await log.deadLetters({ kind: 'ConfigMap' }, all);
      assert.deepEqual([letter?.destination, letter?.status, letter?.said], ['', undefined, undefined]);
      assert.equal(await log.mark({ seq: 1, times: 1 }, 'sent-again'), true);
      assert.deepEqual(await log.deadLetters({ state: 'open' }, all), []);
      assert.equal(await log.mark({ seq: 7, times: 1 }, 'sent-again'), false);
      await log.close();
    });

    test('lists gaps, newest first', async () => {
      const { log } = await fresh();
      const gap = { from: '2026-03-01T12:00:00.000Z', to: '2026-03-01T12:01:00.000Z', events: 7, reason: 'full' };
      await log.noteGap(gap);
      await log.noteGap({ ...gap, events: 8 });
      assert.deepEqual(await log.gaps({ order: 'newest-first', limit: 5 }), [{ ...gap, events: 8 }, gap]);
      await log.close();
    });
  });
}
