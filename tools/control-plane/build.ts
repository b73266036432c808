import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder, cacheKey } from './cache.ts';
import { ClusterError } from './errors.ts';
import { makeFolders } from './folders.ts';
import { goBuild, goVersion } from './go-tool.ts';
import { withLock } from './lock.ts';
import { readPins } from './pins.ts';

export type Programs = { kubestack: string; kwok: string };

const here = import.meta.dirname;
const lockWaitMs = 90 * 60_000;

/**
 * The programs of the control plane, from the cache or built now, with progress on `log`. Throws ClusterError when Go is
 * missing or too old, when the cache folder cannot be written, or when the build fails.
 */
export async function builtPrograms(log: (line: string) => void): Promise<Programs> {
  const pins = readPins(here);
  const ldflags = versionStamps(pins.kubernetes);
  const key = cacheKey(here, [goVersion(pins.go), process.platform, process.arch, ldflags]);
  const cache = cacheFolder(process.env);
  const folder = join(cache, key);
  if (existsSync(folder)) return programsIn(folder);
  makeCache(cache);
  const onWait = (pid: number) => log(`Process ${pid} is building the control plane already; waiting for it.`);
  await withLock({ path: join(cache, 'build.lock'), waitMs: lockWaitMs, onWait }, async () => {
    if (!existsSync(folder)) await buildInto(folder, ldflags, log);
  });
  return programsIn(folder);
}

async function buildInto(folder: string, ldflags: string, log: (line: string) => void): Promise<void> {
  removeDrafts(dirname(folder));
  const draft = mkdtempSync(`${folder}.draft-`);
  const removeDraft = () => rmSync(draft, { recursive: true, force: true });
  process.once('exit', removeDraft);
  log(
    'Building the control plane. The first time this takes 10 to 20 minutes on two cores and 4 GB of disk, later seconds.',
  );
  try {
    const { kubestack, kwok } = programsIn(draft);
    const stack = { name: 'kubestack (1 of 2)', module: here, target: '.', packages: 2476 };
    const fake = {
      name: 'kwok (2 of 2)',
      module: join(here, 'kwok'),
      target: 'sigs.k8s.io/kwok/cmd/kwok',
      packages: 975,
    };
    await goBuild({ ...stack, output: kubestack, ldflags }, log);
    await goBuild({ ...fake, output: kwok, ldflags: '' }, log);
    renameSync(draft, folder);
    log(`Built into ${folder}.`);
  } finally {
    process.off('exit', removeDraft);
    removeDraft();
  }
}

// Whoever left one was killed: the lock is ours.
function removeDrafts(cache: string): void {
  const drafts = readdirSync(cache).filter((name) => name.includes('.draft-'));
  for (const name of drafts) rmSync(join(cache, name), { recursive: true, force: true });
}

// Without these the API server calls itself v0.0.0-master, and clients that compare versions turn away.
function versionStamps(version: string): string {
  const [major, minor] = version.slice(1).split('.');
  return ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']
    .map((path) => `-X ${path}.gitVersion=${version} -X ${path}.gitMajor=${major} -X ${path}.gitMinor=${minor}`)
    .join(' ');
}

function programsIn(folder: string): Programs {
  return { kubestack: join(folder, 'kubestack'), kwok: join(folder, 'kwok') };
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
