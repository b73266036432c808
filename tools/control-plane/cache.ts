import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder that keeps built control planes: under XDG_CACHE_HOME, or under ~/.cache where that is not set. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'knudge', 'control-plane');
}

/**
 * A name for what a build of the Go module in this folder (and of kwok's inside it) would give: it changes with each Go
 * source, each pinned version, the compiler and its flags.
 */
export function cacheKey(folder: string, facts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of sources(folder))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(folder, path)))
      .update('\0');
  for (const fact of facts) hash.update(`${fact}\0`);
  return hash.digest('hex').slice(0, 16);
}

function sources(folder: string): string[] {
  const top = readdirSync(folder);
  const kwok = top.includes('kwok') ? readdirSync(join(folder, 'kwok')) : [];
  const names = [...top, ...kwok.map((name) => `kwok/${name}`)];
  return names.filter((name) => /(\.go|\/go\.mod|\/go\.sum|^go\.mod|^go\.sum)$/.test(name)).sort();
}
