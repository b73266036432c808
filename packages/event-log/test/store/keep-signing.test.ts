import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sign } from '../../../controller/domain/event-log.ts';
import { keepSigning } from '../../store/keep-signing.ts';

function arrange(fails: () => boolean = () => false, sleeps = false) {
  const state = { now: 1000, hangs: false };
  const [signs, failed]: [Sign[], unknown[]] = [[], []];
  const timers: { readonly ms: number; readonly task: () => void }[] = [];
  const releases: (() => void)[] = [];
  const end = keepSigning({
    log: {
      sign: async (sign) => {
        if (state.hangs) await new Promise<void>((resolve) => releases.push(resolve));
        if (fails()) throw new Error('away');
        signs.push(sign);
      },
    },
    sleeps,
    now: () => state.now,
    after: (ms, task) => {
      timers.push({ ms, task });
      return () => void timers.splice(0);
    },
    onFailed: (error) => void failed.push(String(error)),
  });
  const pass = async (ms: number): Promise<void> => {
    state.now += ms;
    timers.shift()?.task();
    await new Promise(setImmediate);
  };
  return { state, signs, failed, timers, releases, end, pass };
}

test('a sign of life at the start, every ten seconds, and at the end', async () => {
  const { signs, pass, timers, end } = arrange(undefined, true);
  await new Promise(setImmediate);
  assert.equal(timers[0]?.ms, 10_000);
  await pass(10_000);
  await end();
  assert.deepEqual(timers, []);
  const said = { isLast: false, sleeps: true };
  assert.deepEqual(signs, [
    { at: 1000, ...said },
    { at: 11_000, since: 1000, ...said },
    { at: 11_000, since: 11_000, sleeps: true, isLast: true },
  ]);
});

test('a store that is away at the start is asked again; one that goes away later is no standstill', async () => {
  let isAway = true;
  const { signs, pass, failed } = arrange(() => isAway);
  await new Promise(setImmediate);
  await pass(10_000);
  assert.deepEqual([signs, failed], [[], ['Error: away', 'Error: away']]);
  isAway = false;
  await pass(10_000);
  assert.equal(signs.at(-1)?.since, undefined, 'what was before it is not known');
  isAway = true;
  for (let n = 0; n < 20; n += 1) await pass(10_000);
  isAway = false;
  await pass(10_000);
  assert.deepEqual(signs.at(-1), { at: 231_000, since: 221_000, isLast: false, sleeps: false });
});

test('one that hangs is not joined by others, and the end waits for it', async () => {
  const { state, signs, pass, releases, end } = arrange();
  await new Promise(setImmediate);
  state.hangs = true;
  for (let n = 0; n < 5; n += 1) await pass(10_000);
  assert.equal(releases.length, 1);
  state.hangs = false;
  const ended = end();
  for (const release of releases) release();
  await ended;
  assert.deepEqual(
    signs.slice(-2).map(({ at, isLast }) => [at, isLast]),
    [
      [11_000, false],
      [51_000, true],
    ],
  );
});
