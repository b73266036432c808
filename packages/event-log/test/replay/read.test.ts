import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { asKnudgeError } from '../../../controller/domain/errors.ts';
import type { EventFilter, EventLog } from '../../../controller/domain/event-log.ts';
import { eventsIn } from '../../replay/file.ts';
import { createMatcher } from '../../replay/matches.ts';
import { readOldestFirst, untilNow, withoutTicks } from '../../replay/read.ts';
import { received } from '../store/event.ts';
import { freshLog } from '../store/fresh.ts';
import { each, gather, recorded } from './parts.ts';

let log: EventLog;
before(async () => {
  log = await freshLog();
  for (let n = 1; n <= 60; n += 1) await log.append(received({ id: `e-${n}`, data: { n } }));
  await log.appendDeadLetter(received({ id: 'e-7' }));
});
after(async () => {
  await log.close();
});

const idsOf = async (events: AsyncIterable<{ readonly id: string }>) => {
  const ids: string[] = [];
  for await (const { id } of events) ids.push(id);
  return ids;
};
const all = Array.from({ length: 60 }, (_, n) => `e-${n + 1}`);

suite('a log', () => {
  test('is read oldest first, over several pages, without what comes meanwhile', async () => {
    const selection = await untilNow(log, { filter: {} });
    const ids: string[] = [];
    for await (const { id } of readOldestFirst(log, selection)) {
      if (ids.length === 0) await log.append(received({ id: 'late' }));
      ids.push(id);
    }
    assert.deepEqual(ids, all);
  });

  test('that loses a page while it is read gives what is left', async () => {
    const selection = await untilNow(log, { filter: {} });
    const events: EventLog['events'] = async (filter, page) => {
      const isSecond = filter.after !== undefined;
      return log.events(isSecond ? { ...filter, after: Math.max(filter.after ?? 0, 55) } : filter, page);
    };
    const ids = await idsOf(readOldestFirst({ ...log, events }, selection));
    assert.deepEqual(ids, [...all.slice(0, 50), ...all.slice(55), 'late']);
  });

  test('that is empty gives nothing', async () => {
    const none = { ...log, events: async () => [] };
    const selection = await untilNow(none, { filter: { before: 9 } });
    assert.deepEqual(selection.filter, { before: 1 });
    assert.deepEqual(await idsOf(readOldestFirst(none, selection)), []);
  });

  test('gives the events of its dead letters', async () => {
    const open = await untilNow(log, { filter: {}, deadLetters: 'open' });
    assert.deepEqual(await idsOf(readOldestFirst(log, open)), ['e-7']);
    assert.deepEqual(await idsOf(readOldestFirst(log, { ...open, deadLetters: 'discarded' })), []);
  });
});

suite('ticks of the resync', () => {
  const events = [
    recorded(1, { type: 'dev.knative.sources.ping' }),
    recorded(2),
    recorded(3, { type: 'dev.knudge.resync.due' }),
  ];
  const rows: readonly [EventFilter, readonly string[], number][] = [
    [{}, ['e-2'], 2],
    [{ kind: 'Message' }, ['e-2'], 2],
    [{ type: 'dev.knudge.resync.due' }, ['e-1', 'e-2', 'e-3'], 0],
    [{ id: 'e-1' }, ['e-1', 'e-2', 'e-3'], 0],
  ];
  for (const [filter, ids, passed] of rows) {
    test(`with ${JSON.stringify(filter)}: ${passed} are passed over`, async () => {
      let count = 0;
      const rest = withoutTicks(each(events), filter, () => {
        count += 1;
      });
      assert.deepEqual([await idsOf(rest), count], [ids, passed]);
    });
  }
});

suite('a filter means the same in a file as in a store', () => {
  const events = [
    recorded(1),
    recorded(2, { kind: 'Pod' }),
    recorded(3, { name: 'other' }),
    recorded(4, { type: 'c' }),
  ];
  const rows: readonly [EventFilter, readonly number[]][] = [
    [{}, [1, 2, 3, 4]],
    [{ since: '2026-03-01T12:00:02Z' }, [2, 3, 4]],
    [{ until: '2026-03-01T12:00:02Z' }, [1]],
    [{ kind: 'Pod' }, [2]],
    [{ namespace: 'shop', name: 'other' }, [3]],
    [{ type: 'c' }, [4]],
    [{ id: 'e-2' }, [2]],
    [{ after: 1, before: 4 }, [2, 3]],
    [{ kind: 'Nothing' }, []],
  ];
  for (const [filter, wanted] of rows) {
    test(JSON.stringify(filter), () => {
      const found = events.filter(createMatcher(filter)).map(({ seq }) => seq);
      assert.deepEqual(found, wanted);
    });
  }

  test('a time that is none is refused', () =>
    assert.throws(() => createMatcher({ since: 'yesterday' }), {
      code: 'invalid-request',
      message: /"yesterday" is not a time/,
    }));
});

suite('a file', () => {
  test('has one event a line; its places are the numbers of the lines', async () => {
    const lines = [JSON.stringify(recorded(17, { data: { a: 1 } })), '', JSON.stringify(recorded(30))];
    const events = await gather(eventsIn(each(lines), 'f'));
    const wanted = { ...recorded(17, { data: { a: 1 } }), seq: 1 };
    assert.deepEqual(events, [
      { ...wanted, recorded: wanted.time },
      { ...recorded(30), seq: 3 },
    ]);
  });

  const good = recorded(2);
  const rows: readonly [sentence: string, line: unknown, RegExp][] = [
    ['no JSON', '{"seq":', /f, line 2: it is not JSON$/],
    ['a list', [], /line 2: it is not a JSON object/],
    ['no id', { ...good, id: undefined }, /line 2: .*has no id/],
    ['no time', { ...good, time: undefined }, /line 2: it has no time/],
    ['a time that is none', { ...good, time: 'noon' }, /line 2: .*time/],
    ['a number as its kind', { ...good, kind: 7 }, /line 2: its kind is not a text/],
    ['extensions that are a text', { ...good, extensions: 'x' }, /line 2: its extensions are not an object/],
    ['an extension that has no such name', { ...good, extensions: { 'a-b': 'x' } }, /line 2: .*"a-b" is not the name/],
    ['a place that is a text', { ...good, seq: '2' }, /line 2: its seq is not a whole number/],
    ['a place before the last', { ...good, seq: 1 }, /line 2: its place \(seq\) is not after/],
  ];
  for (const [sentence, line, wanted] of rows) {
    test(`with a line of ${sentence} is refused with its number`, async () => {
      const text = typeof line === 'string' ? line : JSON.stringify(line);
      const lines = [JSON.stringify(recorded(1)), text];
      const error = asKnudgeError(await gather(eventsIn(each(lines), 'f')).catch((thrown: unknown) => thrown));
      assert.equal(error.code, 'invalid-request');
      assert.match(error.message, wanted);
    });
  }
});
