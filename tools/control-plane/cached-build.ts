import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder } from './cache.ts';
import { ClusterError } from './errors.ts';
import { makeFolders } from './folders.ts';
import { type GoBuild, goBuild } from './go-tool.ts';
import { withLock } from './lock.ts';

export type CachedBuild = {
  /** What is built, for messages. */
  what: string;
  /** The name of its folder in the cache, another one for each other result. */
  key: string;
  /** What people should know before it begins. */
  expectation: string;
  /** Keyed by the names that the programs have in the folder. */
  programs: Readonly<Record<string, Omit<GoBuild, 'output'>>>;
  /** Turns the folder with the programs into what is kept. */
  finish?: (folder: string) => void;
};

const lockWaitMs = 90 * 60_000;

/**
 * The folder in the cache with these programs, built now unless it is there, with progress on `log`. Throws ClusterError
 * if the cache folder cannot be written, or if the build fails.
 */
export async function cachedBuild(build: CachedBuild, log: (line: string) => void): Promise<string> {
  const cache = cacheFolder(process.env);
  const folder = join(cache, build.key);
  if (existsSync(folder)) return folder;
  makeCache(cache);
  const onWait = (pid: number) => log(`Process ${pid} is building already; waiting for it.`);
  await withLock({ path: join(cache, 'build.lock'), waitMs: lockWaitMs, onWait }, async () => {
    if (!existsSync(folder)) await buildInto(folder, build, log);
  });
  return folder;
}

async function buildInto(
  folder: string,
  { what, expectation, programs, finish }: CachedBuild,
  log: (line: string) => void,
): Promise<void> {
  removeDrafts(dirname(folder));
  const draft = mkdtempSync(`${folder}.draft-`);
  const removeDraft = () => rmSync(draft, { recursive: true, force: true });
  process.once('exit', removeDraft);
  log(`Building ${what}. ${expectation}`);
  try {
    for (const [name, program] of Object.entries(programs))
      await goBuild({ ...program, output: join(draft, name) }, log);
    finish?.(draft);
    renameSync(draft, folder);
    log(`Built into ${folder}.`);
  } finally {
    process.off('exit', removeDraft);
    removeDraft();
  }
}

// A process that left a draft was killed: this one has the lock.
function removeDrafts(cache: string): void {
  const drafts = readdirSync(cache).filter((name) => name.includes('.draft-'));
  for (const name of drafts) rmSync(join(cache, name), { recursive: true, force: true });
}

function makeCache(cache: string): void {
  try {
    makeFolders(cache);
  } catch (error) {
    throw new ClusterError(
      `The cache folder ${cache} cannot be made (${(error as NodeJS.ErrnoException).code}); set XDG_CACHE_HOME.`,
    );
  }
}
