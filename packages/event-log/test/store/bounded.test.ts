import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnudgeError } from '../../../controller/domain/errors.ts';
import { createBounded } from '../../store/bounded.ts';
import { codeOf } from './code-of.ts';
import { received } from './event.ts';
import { memoryLog } from './memory-log.ts';

const start = Date.parse('2026-03-01T12:00:00.000Z');

function arrange(way: 'works' | 'hangs' | Error = 'works') {
  const state: { way: typeof way; tries: number } = { way, tries: 0 };
  const memory = memoryLog(() => {
    state.tries += 1;
    return state.way;
  });
  const timers = new Set<{ readonly at: number; readonly task: () => void }>();
  const clock = { now: start };
  const said: string[] = [];
  const log = createBounded({
    log: memory.log,
    now: () => clock.now,
    after: (ms, task) => {
      const timer = { at: clock.now + ms, task };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    onRefused: (what) => void said.push(what),
    onAway: ({ message }) => void said.push(`away: ${message}`),
    onBack: (missing) => void said.push(`back, ${missing} missing`),
  });
  /** Moves the clock, and does what is due. */
  const pass = async (ms: number): Promise<void> => {
    clock.now += ms;
    for (const timer of [...timers].filter(({ at }) => at <= clock.now)) {
      timers.delete(timer);
      timer.task();
    }
    await new Promise(setImmediate);
  };
  const append = (id: string) => codeOf(log.append(received({ id })));
  return { ...memory, log, state, clock, said, pass, append, timers };
}

test('a store that works is waited for, and leaves no timer behind', async () => {
  const { append, ids, timers, said } = arrange();
  assert.deepEqual([await append('a'), await append('b'), ids], ['', '', ['a', 'b']]);
  assert.deepEqual([timers.size, said], [0, []]);
});

test('one that is slow is given four seconds, for each of many, and refuses none of them', async () => {
  const { append, pass, said, hanging, ids, state, gaps } = arrange('hangs');
  const burst = Array.from({ length: 200 }, (_, n) => append(String(n)));
  await pass(3999);
  const late = append('late');
  state.way = 'works';
  for (const release of hanging) release();
  await pass(0);
  assert.deepEqual(new Set([...(await Promise.all(burst)), await late, await append('next')]), new Set(['']));
  await pass(200_000);
  assert.deepEqual([said, gaps, ids.length], [[], [], 202]);
});

test('one that hangs while it writes is waited for half a second more; then nobody knows, and what it lets go in the end is kept', async () => {
  const { append, pass, said, hanging, ids, gaps, timers } = arrange('hangs');
  const [first, second] = [append('a'), append('b')];
  await pass(4000);
  await pass(499);
  assert.deepEqual(said, ['away: the event log did not answer within 4000 ms'], 'both are waited for');
  await pass(1);
  assert.deepEqual([await first, await second], ['outcome-unknown', 'outcome-unknown']);
  assert.deepEqual(said, ['away: the event log did not answer within 4000 ms', 'event', 'event']);
  assert.equal(timers.size, 1, 'for the gap alone');
  for (const release of hanging) release();
  await pass(0);
  assert.equal(said.at(-1), 'back, 0 missing');
  for (let n = 0; n < 30; n += 1) await pass(5000);
  assert.deepEqual([ids, gaps, timers.size], [['a', 'b'], [], 0]);
});

test('one that fails is left alone for a second at a time, and then tried by one', async () => {
  const { append, pass, state, said } = arrange(new KnudgeError('unavailable', 'full'));
  assert.deepEqual([await append('a'), await append('b'), state.tries], ['unavailable', 'unavailable', 1]);
  await pass(1000);
  state.way = 'hangs';
  const tried = append('c');
  assert.deepEqual([await append('d'), state.tries], ['unavailable', 2]);
  await pass(4500);
  assert.deepEqual(
    [await tried, await append('e'), state.tries],
    ['outcome-unknown', 'unavailable', 2],
    'c is still tried',
  );
  assert.deepEqual(said, ['away: full', 'event', 'event', 'event', 'event', 'event']);
});

test('what is missing when nobody brings it any more becomes a gap, without what came again', async () => {
  const { append, pass, state, gaps, ids } = arrange(new KnudgeError('unavailable', 'the disk is full'));
  for (const id of ['a', 'b']) await append(id);
  await pass(1500);
  await append('c');
  state.way = 'works';
  await pass(1500);
  assert.equal(await append('b'), '', 'brought again');
  for (let n = 0; n < 19; n += 1) await pass(5000);
  assert.deepEqual(gaps, [], 'they may still come');
  for (let n = 0; n < 3; n += 1) await pass(5000);
  const [from, to] = ['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:01.500Z'];
  assert.deepEqual(gaps, [{ from, to, events: 2, reason: 'the disk is full' }]);
  assert.deepEqual(ids, ['b']);
  await append('e');
  for (let n = 0; n < 30; n += 1) await pass(5000);
  assert.equal(gaps.length, 1, 'a gap is written once');
});

test('a gap that could not be written is written later, at the latest at the end', async () => {
  const { append, pass, state, gaps, log } = arrange(new KnudgeError('unavailable', 'full'));
  await append('a');
  for (let n = 0; n < 30; n += 1) await pass(5000);
  assert.deepEqual(gaps, []);
  state.way = 'works';
  await pass(5000);
  assert.equal(gaps.length, 1, 'although no event comes any more');
  state.way = new KnudgeError('unavailable', 'full');
  await append('b');
  state.way = 'works';
  await log.close();
  assert.deepEqual(
    gaps.map(({ events, reason }) => [events, reason]),
    [
      [1, 'full'],
      [1, 'full'],
    ],
  );
});

test('an event that cannot be kept says nothing of the store', async () => {
  const { append, state, said, pass, gaps } = arrange(new KnudgeError('internal', 'too long a name'));
  assert.equal(await append('a'), 'internal');
  state.way = 'works';
  assert.equal(await append('b'), '');
  assert.deepEqual(said, ['event']);
  for (let n = 0; n < 21; n += 1) await pass(5000);
  assert.equal(gaps[0]?.events, 1);
});

test('a dead letter is bounded too, and counted as one; the Broker comes again with it', async () => {
  const { log, said, letters, state, pass } = arrange(new KnudgeError('unavailable', 'full'));
  assert.equal(await codeOf(log.appendDeadLetter(received())), 'unavailable');
  assert.deepEqual(said, ['away: full', 'dead-letter']);
  state.way = 'works';
  await pass(1000);
  await log.appendDeadLetter(received());
  assert.deepEqual(letters, ['e-1']);
});

test('more than can be known by name are counted', async () => {
  const { append, state, pass, gaps } = arrange(new KnudgeError('unavailable', 'full'));
  for (let n = 0; n < 100_005; n += 1) await append(String(n));
  state.way = 'works';
  await pass(200_000);
  assert.equal(gaps[0]?.events, 100_005);
});
