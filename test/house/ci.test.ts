import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** The functions of `.ci/run` with these lines in the place of its steps, in a folder of its own. */
function runOf(lines: string) {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-ci-'));
  try {
    mkdirSync(join(folder, '.ci'));
    cpSync(join(root, '.ci/lane'), join(folder, '.ci/lane'));
    const [functions = ''] = textOf('.ci/run').split('step git clone');
    writeFileSync(join(folder, '.ci/run'), `${functions}${lines}`);
    return spawnSync('bash', [join(folder, '.ci/run')], { encoding: 'utf8', env: { ...process.env, TMPDIR: folder } });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('CI says at its end which step failed, whether a lane has ended meanwhile or goes on', () => {
  for (const lane of ['true', 'sleep 600']) {
    const { status, stdout } = runOf(`start_lane beside <<'STEPS'\n${lane}\nSTEPS\nstep bash -c 'sleep 0.5; exit 3'\n`);
    assert.equal(status, 3);
    assert.match(stdout, /failed with exit code 3: bash -c sleep 0\.5; exit 3\n$/);
  }
});

test('CI fails with the step after which a lane has failed', () => {
  const { status, stdout } = runOf("start_lane beside <<'STEPS'\nfalse\nSTEPS\nstep sleep 0.5\nstep true\n");
  assert.equal(status, 1);
  assert.match(stdout, /failed with exit code 1: the lane "beside"\n$/);
});
