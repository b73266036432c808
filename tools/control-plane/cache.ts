import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder that keeps built control planes: under XDG_CACHE_HOME, or under ~/.cache if that is not set. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'knudge', 'control-plane');
}

/**
 * A name for the result of a build of the Go module in this folder (and of those that it has in the folders named here):
 * it changes with each Go source, each pinned version, the compiler and its flags.
 */
export function cacheKey(folder: string, facts: readonly string[], within: readonly string[] = ['kwok']): string {
  const hash = createHash('sha256');
  for (const path of sources(folder, within))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(folder, path)))
      .update('\0');
  for (const fact of facts) hash.update(`${fact}\0`);
  return hash.digest('hex').slice(0, 16);
}

function sources(folder: string, within: readonly string[]): string[] {
  const top = readdirSync(folder);
  const inside = within
    .filter((name) => top.includes(name))
    .flatMap((name) => readdirSync(join(folder, name)).map((file) => `${name}/${file}`));
  const names = [...top, ...inside];
  return names.filter((name) => /(\.go|\/go\.mod|\/go\.sum|^go\.mod|^go\.sum)$/.test(name)).sort();
}
