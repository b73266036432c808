import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testFiles } from '../../tools/test/suites.ts';
import { root, textOf } from './files.ts';

test('each test of the faults is in one of the parts that CI makes of them', () => {
  const parts = [...textOf('.ci/run').matchAll(/test:faults -- (.+)$/gm)].map(([, starts = '']) => starts.split(' '));
  assert.equal(parts.length, 2);
  const run = parts.flatMap((starts) => testFiles('faults', root, starts));
  assert.deepEqual(run.toSorted(), testFiles('faults', root, []).toSorted());
});
