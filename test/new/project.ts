import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packages } from '../../tools/pack/packages.ts';
import { makeTarballs } from '../../tools/pack/tarballs.ts';
import { root } from '../house/files.ts';
import { installIn } from '../tools/pack/stranger.ts';

/** The project of somebody else: outside of this repository, on the packed packages. */
export interface NewProject {
  readonly folder: string;
  /** Runs `knudge` as the project has it. */
  readonly knudge: (...args: readonly string[]) => SpawnSyncReturns<string>;
  readonly node: (...args: readonly string[]) => SpawnSyncReturns<string>;
  /** The command of `knudge` in the project. */
  readonly command: readonly string[];
  readonly remove: () => void;
}

/**
 * Packs the packages, makes a project with the tarball that stands alone, and installs the others into it. npm asks nothing here: the
 * packages of others are those of this repository.
 */
export function makeProject(name: string): NewProject {
  const home = mkdtempSync(join(tmpdir(), 'knudge-new-'));
  const out = join(home, 'tarballs');
  const tarballs = makeTarballs({ root, wanted: packages, out }).map((file) => join(out, file));
  const alone = tarballs.filter((file) => /\/knudge-\d/.test(file));
  installIn(home, alone);
  // A test runner that finds itself below another one runs nothing.
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  const env = { ...own, npm_config_offline: 'true' };
  const run = (cwd: string, args: readonly string[]) =>
    spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8' });
  const made = run(home, ['node_modules/knudge/knudge.js', 'new', 'controller', name, '--packages', out]);
  if (made.status !== 0) throw new Error(`knudge new controller failed: ${made.stderr}`);
  const folder = join(home, name);
  const vendor = join(folder, 'vendor');
  installIn(
    folder,
    readdirSync(vendor).map((file) => join(vendor, file)),
    ['esbuild', 'typescript', 'yaml'],
  );
  const command = [join(folder, 'node_modules/@knudge/cli/knudge.js')];
  return {
    ...{ folder, command },
    knudge: (...args) => run(folder, [...command, ...args]),
    node: (...args) => run(folder, args),
    remove: () => rmSync(home, { recursive: true }),
  };
}
