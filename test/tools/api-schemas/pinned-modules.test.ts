import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { GoError, GoMissing, pinnedModules } from '../../../tools/api-schemas/pinned-modules.ts';

/** The environment where `go` is this shell script; without one there is no Go. */
function environment(t: TestContext, script?: string): { readonly env: NodeJS.ProcessEnv } {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-go-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  if (script !== undefined) {
    const go = join(folder, 'go');
    writeFileSync(go, `#!/bin/sh\n${script}\n`);
    chmodSync(go, 0o755);
  }
  return { env: { PATH: folder } };
}

const says = (...modules: object[]): string =>
  `echo '${modules.map((module) => JSON.stringify(module, null, '\t')).join('\n')}'`;
const bread = { Path: 'a.example/bread', Dir: '/go/bread@v1', Origin: { VCS: 'git' } };
const salt = { Path: 'a.example/salt', Dir: '/go/salt@v2' };
const both = [bread.Path, salt.Path];

test('the folders are those that Go gives', (t) => {
  const found = pinnedModules(both, environment(t, says(bread, salt)));
  assert.deepEqual(
    [...found],
    [
      [bread.Path, bread.Dir],
      [salt.Path, salt.Dir],
    ],
  );
});

test('Go is asked in the folder that pins the versions, without a workspace of somebody else', (t) => {
  const right = `case "$PWD $GOWORK $*" in */tools/control-plane\\ off\\ mod\\ download\\ -json\\ ${salt.Path})`;
  const found = pinnedModules([salt.Path], environment(t, `${right} ${says(salt)};; esac`));
  assert.equal(found.get(salt.Path), salt.Dir);
});

test('Go is asked in another folder where another one is named', (t) => {
  const pins = tmpdir();
  const { env } = environment(t, `case "$PWD" in ${pins}) ${says(salt)};; esac`);
  assert.equal(pinnedModules([salt.Path], { pins, env }).get(salt.Path), salt.Dir);
});

test('without Go one sentence says where to get it', (t) => {
  assert.throws(
    () => pinnedModules(both, environment(t)),
    (error: Error) => {
      assert.ok(error instanceof GoMissing);
      assert.equal(
        error.message,
        'Go is needed to find the sources of a.example/bread and a.example/salt and is not on PATH: install it (https://go.dev/dl).',
      );
      return true;
    },
  );
});

const failures = [
  {
    name: 'a module that cannot be downloaded is told with its reason',
    script: `${says(bread, { Path: salt.Path, Error: 'no such host' })}; exit 1`,
    reason: 'no such host',
  },
  { name: 'what Go complains of is told', script: 'echo go: bad flag >&2; exit 2', reason: 'go: bad flag' },
  { name: 'a module that Go does not name is told', script: says(bread), reason: 'no a.example/salt' },
];
for (const { name, script, reason } of failures) {
  test(name, (t) => {
    assert.throws(
      () => pinnedModules(both, environment(t, script)),
      (error: Error) => {
        assert.ok(error instanceof GoError && !(error instanceof GoMissing));
        assert.equal(error.message, `Go did not give the sources of a.example/bread and a.example/salt: ${reason}`);
        return true;
      },
    );
  });
}
