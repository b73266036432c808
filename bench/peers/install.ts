import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../tools/control-plane/cache.ts';
import { goBuild, goVersion } from '../../tools/control-plane/go-tool.ts';

type Log = (line: string) => void;

/** Sources of the contestants, each in a folder of its own. */
export const sources = join(import.meta.dirname, 'contestants');

const longestMs = 300_000;

/** The operator on controller-runtime, compiled once. */
export async function builtOperator(log: Log): Promise<string> {
  const module = join(sources, 'controller-runtime');
  const from = ['go.mod', 'go.sum', 'main.go', 'message.go'].map((name) => join(module, name));
  const facts = [goVersion('1.26.0'), process.platform, process.arch];
  const folder = await installed({ name: 'controller-runtime', from, facts, log }, async (draft) => {
    const output = join(draft, 'operator');
    await goBuild({ name: 'the operator', module, target: '.', output, ldflags: '', packages: 900 }, log);
  });
  return join(folder, 'operator');
}

/** The folder with kopf and what it needs, named by the checksums of its requirements. */
export function installedKopf(log: Log): Promise<string> {
  const requirements = join(sources, 'kopf/requirements.txt');
  return installed({ name: 'kopf', from: [requirements], log }, async (folder) => {
    const only = ['--require-hashes', '--only-binary=:all:', '--no-deps'];
    const args = ['-m', 'pip', 'install', '--quiet', ...only, '--target', folder, '-r', requirements];
    await promisify(execFile)('python3', args, { timeout: longestMs });
  });
}

/** The folder with the operator on the informers of the Kubernetes client, and its packages by its own lockfile. */
export function installedInformer(log: Log): Promise<string> {
  const from = ['package.json', 'package-lock.json', 'informer.ts'].map((name) => join(sources, 'client-node', name));
  return installed({ name: 'client-node', from, log }, async (folder) => {
    for (const path of from) copyFileSync(path, join(folder, path.slice(dirname(path).length)));
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=dev'];
    await promisify(execFile)('npm', args, { cwd: folder, timeout: longestMs });
  });
}

interface Installation {
  readonly name: string;
  /** Everything that decides the result. */
  readonly from: readonly string[];
  readonly facts?: readonly string[];
  readonly log: Log;
}

/** Made in a draft and renamed, so that the folder is always complete. */
async function installed(
  { name, from, facts = [], log }: Installation,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256');
  for (const path of from) hash.update(readFileSync(path)).update('\0');
  for (const fact of facts) hash.update(`${fact}\0`);
  const cache = join(dirname(cacheFolder(process.env)), 'peers');
  const folder = join(cache, `${name}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  log(`Fetching ${name} from its registry, and building it where it is built: later this takes nothing.`);
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(`${folder}.draft-`);
  try {
    await make(draft);
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}
