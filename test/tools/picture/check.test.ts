import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../house/files.ts';

const needed = [
  'package.json',
  'crds',
  'deploy',
  'docs/way-of-an-event.svg',
  'eventing',
  'functions',
  'packages',
  'resources',
];

describe('npm run picture -- --check', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'knudge-picture-'));
    for (const path of [...needed, 'tools/picture']) cpSync(join(root, path), join(folder, path), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is content with the picture that is there', () => {
    assert.deepEqual(run('--check'), { status: 0, stderr: '' });
  });

  it('fails after a Trigger is added, until the picture is drawn anew', () => {
    const trigger = readFileSync(join(folder, 'eventing/triggers/pod-changed.yaml'), 'utf8');
    writeFileSync(
      join(folder, 'eventing/triggers/pod-seen.yaml'),
      trigger.replace('name: pod-changed', 'name: pod-seen'),
    );
    assert.deepEqual(run('--check'), {
      status: 1,
      stderr: 'docs/way-of-an-event.svg is not what eventing/ and deploy/ say: run `npm run picture`\n',
    });
    assert.deepEqual(run(), { status: 0, stderr: '' });
    assert.match(readFileSync(join(folder, 'docs/way-of-an-event.svg'), 'utf8'), />pod-seen</);
    assert.deepEqual(run('--check'), { status: 0, stderr: '' });
  });

  function run(...args: readonly string[]) {
    const program = join(folder, 'tools/picture/generate.ts');
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
    return { status, stderr };
  }
});
