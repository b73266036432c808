import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepMark } from '../mark.ts';

test('a version counts when all before it is done', () => {
  const mark = keepMark('5');
  const [first, second] = [mark.begin('6'), mark.begin('7')];
  second();
  assert.deepEqual([mark.at(), mark.waiting()], ['5', 2]);
  first();
  assert.deepEqual([mark.at(), mark.waiting()], ['7', 0]);
});

test('what is only passed counts behind what is under way, and an empty version moves nothing', () => {
  const mark = keepMark('');
  const done = mark.begin('');
  mark.pass('9');
  assert.equal(mark.at(), '');
  done();
  assert.equal(mark.at(), '9');
  mark.begin('')();
  assert.equal(mark.at(), '9');
});

test('a hundred thousand are settled in any order', () => {
  const mark = keepMark('0');
  const done = Array.from({ length: 100_000 }, (_, n) => mark.begin(String(n + 1)));
  for (const one of done.toReversed()) one();
  assert.deepEqual([mark.at(), mark.waiting()], ['100000', 0]);
});
