import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnudgeError } from '../../src/domain/errors.ts';
import { createBounded } from '../../src/event-log/bounded.ts';
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

test('one that hangs is waited for once and shortly; then nobody waits, and what it lets go in the end is kept', async () => {
  const { append, pass, state, said, timers, hanging, ids, gaps } = arrange('hangs');
  const first = append('a');
  await pass(99);
  assert.deepEqual(said, []);
  await pass(1);
  assert.equal(await first, 'unavailable');
  assert.deepEqual([await append('b'), await append('c')], ['unavailable', 'unavailable'], 'without any time');
  assert.deepEqual(said, ['away: the event log did not answer within 100 ms', 'event', 'event', 'event']);
  assert.equal(state.tries, 3);
  assert.equal(timers.size, 1, 'for the gap alone');
  for (const release of hanging) release();
  state.way = 'works';
  await pass(0);
  await pass(5000);
  assert.deepEqual([ids, gaps], [['a', 'b', 'c'], []]);
});

test('a slow one is waited for again when nothing was late for five seconds', async () => {
  const { append, pass, state, said, hanging, ids } = arrange('hangs');
  const first = append('a');
  await pass(100);
  await first;
  state.way = 'works';
  await pass(4000);
  assert.equal(await append('b'), 'unavailable', 'a was late');
  for (const release of hanging) release();
  await pass(0);
  await pass(4999);
  assert.equal(await append('c'), 'unavailable', 'a has come to its end just now');
  await pass(1);
  assert.equal(await append('d'), 'unavailable', 'the first to be quick again');
  assert.ok(said.includes('back, 0 missing'));
  assert.equal(await append('e'), '');
  assert.deepEqual(ids, ['b', 'a', 'c', 'd', 'e']);
});

test('one that fails is left alone for a second at a time, and then tried by one, for which nobody waits', async () => {
  const { append, pass, state, said } = arrange(new KnudgeError('unavailable', 'full'));
  assert.deepEqual([await append('a'), await append('b'), state.tries], ['unavailable', 'unavailable', 1]);
  await pass(1000);
  state.way = 'hangs';
  assert.deepEqual([await append('c'), await append('d'), state.tries], ['unavailable', 'unavailable', 2]);
  await pass(60_000);
  assert.deepEqual([await append('e'), state.tries], ['unavailable', 3], 'a gap was tried, no event beside c');
  assert.deepEqual(said, ['away: full', 'event', 'event', 'event', 'event', 'event']);
});

test('what is missing when the store is back becomes a gap, without what came late or as a dead letter', async () => {
  const { append, pass, state, hanging, gaps, ids } = arrange('hangs');
  const slow = append('comes late');
  await pass(100);
  await slow;
  state.way = new KnudgeError('unavailable', 'the disk is full');
  for (const id of ['a', 'b', 'c']) await append(id);
  state.way = 'works';
  for (const release of hanging) release();
  await pass(1000);
  assert.equal(await append('probe'), 'unavailable', 'nobody waits for it');
  assert.equal(await append('b'), 'unavailable', 'as a dead letter');
  assert.deepEqual(gaps, []);
  await pass(5000);
  const [from, to] = ['2026-03-01T12:00:00.100Z', '2026-03-01T12:00:01.100Z'];
  assert.deepEqual(gaps, [{ from, to, events: 2, reason: 'the disk is full' }]);
  assert.deepEqual(ids, ['comes late', 'probe', 'b']);
  await append('e');
  await pass(10_000);
  assert.equal(gaps.length, 1, 'a gap is written once');
});

test('a gap is written although no event comes any more', async () => {
  const { append, pass, state, gaps } = arrange(new KnudgeError('unavailable', 'full'));
  await append('a');
  await pass(5000);
  assert.equal(gaps.length, 0);
  state.way = 'works';
  await pass(5000);
  assert.equal(gaps[0]?.events, 1);
});

test('a gap that could not be written is written later, at the latest at the end', async () => {
  const { append, pass, state, gaps, log } = arrange(new KnudgeError('unavailable', 'full'));
  await append('a');
  state.way = 'works';
  await pass(1000);
  await append('b');
  state.way = new KnudgeError('unavailable', 'full');
  await pass(5000);
  assert.deepEqual(gaps, []);
  state.way = 'works';
  await log.close();
  assert.deepEqual(
    gaps.map(({ events, reason }) => [events, reason]),
    [[1, 'full']],
  );
});

test('an event that cannot be kept says nothing of the store', async () => {
  const { append, state, said, pass, gaps } = arrange(new KnudgeError('internal', 'too long a name'));
  assert.equal(await append('a'), 'internal');
  state.way = 'works';
  assert.equal(await append('b'), '');
  assert.deepEqual(said, ['event']);
  await pass(5000);
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
  await pass(5000);
  assert.equal(gaps[0]?.events, 100_005);
});
