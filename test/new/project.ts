import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packages } from '../../tools/pack/packages.ts';
import { makeTarballs } from '../../tools/pack/tarballs.ts';
import { root } from '../house/files.ts';

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

/** Nobody serves it: what npm asks a registry for under our own names is an error. */
const closed = 'http://127.0.0.1:9/';

/**
 * Packs the packages, and begins a project as docs/tutorial.md does: by `npm exec` with the tarball that stands alone, and `npm ci`. The
 * packages of others come from the registry that npm is set to.
 */
export function makeProject(name: string): NewProject {
  const home = mkdtempSync(join(tmpdir(), 'knudge-new-'));
  const out = join(home, 'tarballs');
  const tarballs = makeTarballs({ root, wanted: packages, out }).map((file) => join(out, file));
  const [alone = ''] = tarballs.filter((file) => /\/knudge-\d/.test(file));
  const env = { ...environment(), PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` };
  const npm = (cwd: string, ...args: readonly string[]): void => {
    const own = { ...env, 'npm_config_@knudge:registry': closed };
    const { status, stderr } = spawnSync('npm', args, { cwd, env: own, encoding: 'utf8', timeout: 240_000 });
    if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${String(status)}: ${stderr}`);
  };
  npm(home, 'exec', '--yes', '--package', alone, '--', 'knudge', 'new', 'controller', name);
  const folder = join(home, name);
  npm(folder, 'ci');
  const run = (cwd: string, args: readonly string[]) =>
    spawnSync(process.execPath, args, { cwd, env: { ...env, npm_config_offline: 'true' }, encoding: 'utf8' });
  const command = [join(folder, 'node_modules/@knudge/cli/knudge.js')];
  return {
    ...{ folder, command },
    knudge: (...args) => run(folder, [...command, ...args]),
    node: (...args) => run(folder, args),
    remove: () => rmSync(home, { recursive: true }),
  };
}

/** Without what npm says to this process of this repository; and a test runner that finds itself below another one runs nothing. */
function environment(): NodeJS.ProcessEnv {
  const ours = /^(?:npm_(?:package|lifecycle)_|npm_config_local_prefix$|INIT_CWD$|NODE_TEST_CONTEXT$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}
