import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { writeImage } from '../../../../tools/control-plane/node/image.ts';

function temporaryFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-image-test-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

const tar = (...args: readonly string[]): Buffer => execFileSync('tar', args);

test('an image is an archive with a manifest, a configuration, and one layer that the configuration is sure of', (context) => {
  const folder = temporaryFolder(context);
  const [archive, program] = [join(folder, 'image.tar'), join(folder, 'program')];
  writeFileSync(program, 'do something', { mode: 0o600 });
  writeImage({ name: 'somewhere/one:1', files: { '/usr/bin/one': program }, command: ['one'] }, archive);
  const member = (name: string): Buffer => tar('-xOf', archive, name);
  assert.deepEqual(JSON.parse(member('manifest.json').toString()), [
    { Config: 'config.json', RepoTags: ['somewhere/one:1'], Layers: ['layer.tar'] },
  ]);
  const { config, rootfs } = JSON.parse(member('config.json').toString()) as Record<string, Record<string, unknown>>;
  const layer = member('layer.tar');
  assert.deepEqual(rootfs?.['diff_ids'], [`sha256:${createHash('sha256').update(layer).digest('hex')}`]);
  assert.deepEqual(config?.['Cmd'], ['one']);
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
  for (const archive of archives) writeImage(image, archive);
  const [a, b] = archives.map((archive) => tar('-xOf', archive, 'config.json').toString());
  assert.equal(a, b);
});
