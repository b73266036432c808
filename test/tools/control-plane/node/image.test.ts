import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { writeImages } from '../../../../tools/control-plane/node/image.ts';

function temporaryFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-image-test-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

const usualPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const tar = (...args: readonly string[]): Buffer => execFileSync('tar', args);

test('images are an archive with a manifest, and for each a configuration and one layer that this is sure of', (context) => {
  const folder = temporaryFolder(context);
  const [archive, program] = [join(folder, 'image.tar'), join(folder, 'program')];
  writeFileSync(program, 'do something', { mode: 0o600 });
  const files = { '/usr/bin/one': program };
  const two = { name: 'somewhere/two:1', files, entrypoint: ['/usr/bin/one'], user: '65532:65532', env: { A: 'b' } };
  writeImages([{ name: 'somewhere/one:1', files, command: ['one'] }, two], archive);
  const member = (name: string): Buffer => tar('-xOf', archive, `./${name}`);
  assert.deepEqual(JSON.parse(member('manifest.json').toString()), [
    { Config: '0/config.json', RepoTags: ['somewhere/one:1'], Layers: ['0/layer.tar'] },
    { Config: '1/config.json', RepoTags: ['somewhere/two:1'], Layers: ['1/layer.tar'] },
  ]);
  const [first, second] = [0, 1].map(
    (index) => JSON.parse(member(`${index}/config.json`).toString()) as Record<string, Record<string, unknown>>,
  );
  const layer = member('0/layer.tar');
  assert.deepEqual(first?.['rootfs']?.['diff_ids'], [`sha256:${createHash('sha256').update(layer).digest('hex')}`]);
  assert.deepEqual(first?.['config'], { Env: [`PATH=${usualPath}`], Cmd: ['one'] });
  const { Entrypoint, User, Env } = second?.['config'] ?? {};
  assert.deepEqual(
    { Entrypoint, User, Env },
    {
      Entrypoint: ['/usr/bin/one'],
      User: '65532:65532',
      Env: [`PATH=${usualPath}`, 'A=b'],
    },
  );
  writeFileSync(join(folder, 'layer.tar'), layer);
  const list = tar('--numeric-owner', '-tvf', join(folder, 'layer.tar')).toString();
  assert.match(list, /^-rwxr-xr-x 0\/0 +12 .* \.\/usr\/bin\/one$/m);
  assert.match(list, /^drwxrwxrwt 0\/0 .* \.\/tmp\/$/m);
});

test('the same files are the same image', (context) => {
  const folder = temporaryFolder(context);
  writeFileSync(join(folder, 'program'), 'do something');
  const image = { name: 'one', files: { '/bin/one': join(folder, 'program') } };
  const archives = ['a.tar', 'b.tar'].map((name) => join(folder, name));
  for (const archive of archives) writeImages([image], archive);
  const [a, b] = archives.map((archive) => tar('-xOf', archive, './0/config.json').toString());
  assert.equal(a, b);
});
