import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Suite, testFiles } from '../../tools/test/suites.ts';
import { root, textOf } from './files.ts';

for (const [suite, count] of [
  ['faults', 3],
  ['kube', 2],
  ['dataplane', 4],
] as const satisfies readonly (readonly [Suite, number])[]) {
  test(`each test of the suite ${suite} is in one of the parts that CI makes of it`, () => {
    const lines = textOf('.ci/run').matchAll(new RegExp(`test:${suite} -- (.+)$`, 'gm'));
    const parts = [...lines].map(([, starts = '']) => testFiles(suite, root, starts.split(' ')));
    assert.equal(parts.length, count);
    for (const part of parts) assert.notDeepEqual(part, []);
    assert.deepEqual(parts.flat().toSorted(), testFiles(suite, root, []).toSorted());
  });
}
