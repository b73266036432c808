import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CalmParts, calmly } from '../../api/calm.ts';
import { codeOf } from '../store/code-of.ts';
import { memoryLog } from '../store/memory-log.ts';

const page = { order: 'oldest-first', limit: 1 } as const;

function arrange(parts: CalmParts) {
  const state = { asked: 0, atOnce: 0, most: 0 };
  const events = async () => {
    state.asked += 1;
    state.atOnce += 1;
    state.most = Math.max(state.most, state.atOnce);
    await new Promise(setImmediate);
    state.atOnce -= 1;
    return [{ seq: 1, recorded: '', id: '', source: '', type: '', time: '', extensions: {} }];
  };
  return { state, log: calmly({ ...memoryLog(() => 'works').log, events }, parts) };
}

test('of many questions four are asked at a time, and the same one once', async () => {
  const { state, log } = arrange({ most: 100 });
  await Promise.all(Array.from({ length: 60 }, (_, n) => log.events({ after: Math.floor(n / 2) }, page)));
  assert.deepEqual([state, log.isCut()], [{ asked: 30, atOnce: 0, most: 4 }, false]);
});

test('after a number of questions the answer is nothing, and says that it is cut', async () => {
  const { state, log } = arrange({ most: 3 });
  const found = [];
  for (let after = 0; after < 5; after += 1) found.push((await log.events({ after }, page)).length);
  assert.deepEqual([found, state.asked, log.isCut()], [[1, 1, 1, 0, 0], 3, true]);
});

test('what nobody waits for any more is not asked, also where it had its place in the queue', async () => {
  const over = new AbortController();
  const { state, log } = arrange({ most: 100, over: over.signal });
  const asked = Array.from({ length: 10 }, (_, after) => codeOf(log.events({ after }, page)));
  over.abort();
  const codes = await Promise.all(asked);
  assert.deepEqual([state.asked, codes.filter((code) => code === 'unavailable').length], [4, 6]);
});
