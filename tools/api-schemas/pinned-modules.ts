import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** A failure of Go, in one sentence. */
export class GoError extends Error {}

/** There is no Go on PATH. */
export class GoMissing extends GoError {}

interface Module {
  readonly Path: string;
  readonly Dir?: string;
  readonly Error?: string;
}

const controlPlane = join(import.meta.dirname, '../control-plane');
const timeoutMs = 10 * 60_000;

/**
 * The folders of Go modules by their paths, in the versions that the folder `pins` pins (tools/control-plane by
 * default); Go downloads those that are missing. Throws GoMissing without Go, and GoError if Go does not give them within
 * ten minutes.
 */
export function pinnedModules(
  paths: readonly string[],
  { pins = controlPlane, env = process.env }: { pins?: string; env?: NodeJS.ProcessEnv } = {},
): ReadonlyMap<string, string> {
  const go = spawnSync('go', ['mod', 'download', '-json', ...paths], {
    cwd: pins,
    env: { ...env, GOWORK: 'off' },
    encoding: 'utf8',
    timeout: timeoutMs,
  });
  const what = `the sources of ${paths.join(' and ')}`;
  if (go.error !== undefined) {
    if ('code' in go.error && go.error.code === 'ENOENT') {
      throw new GoMissing(`Go is needed to find ${what} and is not on PATH: install it (https://go.dev/dl).`);
    }
    throw new GoError(`Go did not give ${what}: ${go.error.message}`);
  }
  const modules = modulesIn(go.stdout);
  const missing = paths.filter((path) => !modules.some(({ Path, Dir }) => Path === path && Dir !== undefined));
  if (go.status !== 0 || missing.length > 0) {
    const reasons = [...modules.map(({ Error: why }) => why), go.stderr.trim()];
    throw new GoError(`Go did not give ${what}: ${reasons.find((reason) => reason) ?? `no ${missing.join(', no ')}`}`);
  }
  return new Map(modules.map(({ Path, Dir = '' }) => [Path, Dir]));
}

/** Go writes one indented object after the other. */
function modulesIn(output: string): readonly Module[] {
  return JSON.parse(`[${output.replaceAll(/^\}\n(?=\{)/gm, '},')}]`) as Module[];
}
