import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { passingKey, writePublicKey, writeSums } from '../../../tools/release/sums.ts';
import { textOf } from '../../house/files.ts';

const [, commands = ''] = /## Verify\n[^#]*?```bash\n(.*?)```/s.exec(textOf('docs/release.md')) ?? [];

function arrange(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-sums-'));
  context.after(() => rmSync(folder, { recursive: true }));
  for (const name of ['one.tar', 'two.yaml']) writeFileSync(join(folder, name), name);
  const key = passingKey();
  writeSums(folder, key);
  writePublicKey(join(folder, 'cosign.pub'), key);
  return folder;
}

const verify = (cwd: string) => spawnSync('bash', ['-euc', commands], { cwd, encoding: 'utf8', timeout: 20_000 });

test('the commands of docs/release.md verify a release', (context) => {
  const { status, stdout, stderr } = verify(arrange(context));
  assert.equal(stdout, 'Verified OK\none.tar: OK\ntwo.yaml: OK\n');
  assert.equal(status, 0, stderr);
});

for (const name of ['one.tar', 'SHA256SUMS', 'SHA256SUMS.sig']) {
  test(`they refuse one whose ${name} is another`, (context) => {
    const folder = arrange(context);
    writeFileSync(join(folder, name), 'another');
    assert.notEqual(verify(folder).status, 0);
  });
}
