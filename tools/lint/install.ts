import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;

/** The programs of this folder, as paths that Node runs. */
export const programs = {
  biome: join(here, 'node_modules/@biomejs/biome/bin/biome'),
  knip: join(here, 'node_modules/knip/bin/knip.js'),
} as const;

/** Installs exactly the versions of package.json where they are not there yet. Throws when npm cannot. */
export function install(): void {
  const { dependencies } = manifest(here) as { dependencies: Record<string, string> };
  const missing = Object.entries(dependencies).filter(([name, version]) => installed(name) !== version);
  if (missing.length === 0) return;
  const wanted = missing.map(([name, version]) => `${name} ${version}`).join(', ');
  process.stderr.write(`Installing ${wanted} into tools/lint (about 20 s, once)\n`);
  const quiet = ['--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync('npm', ['install', ...quiet], { cwd: here, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`npm install failed in tools/lint (${error?.message ?? `exit code ${status}`})`);
}

/** Runs a program in a folder with this terminal and gives its exit code. */
export function run(program: keyof typeof programs, args: readonly string[], cwd: string): number {
  const { status, error } = spawnSync(process.execPath, [programs[program], ...args], { cwd, stdio: 'inherit' });
  if (error !== undefined) throw error;
  return status ?? 1;
}

function installed(name: string): string | undefined {
  try {
    return (manifest(join(here, 'node_modules', name)) as { version: string }).version;
  } catch {
    return undefined;
  }
}

function manifest(folder: string): unknown {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
