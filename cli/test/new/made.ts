import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type SmallProject, smallProject } from '../../../packages/generate/test/small-project.ts';
import { root } from '../../../test/house/files.ts';
import { templateFor } from '../../new/files.ts';

/** The project that `knudge new controller` makes, with all that is generated; its packages are those of this repository. */
export function made(name: string): SmallProject {
  const project = smallProject();
  for (const path of ['node_modules', 'engine']) project.remove(path);
  symlinkSync(join(root, 'node_modules'), join(project.folder, 'node_modules'));
  for (const [path, text] of templateFor(name)) project.write(path, text);
  project.write('package.json', JSON.stringify({ name, version: '0.1.0', type: 'module' }));
  const { status, stderr } = project.knudge('generate');
  assert.equal(status, 0, stderr);
  return project;
}

/** Runs a test of a project. Without our environment: a test runner that finds itself in a test of another one runs nothing, and is content. */
export function testIn({ folder }: SmallProject, path: string): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, ['--test', path], { cwd: folder, env: {}, encoding: 'utf8' });
}
