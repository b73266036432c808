import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { user } from '../../packages/image/base.ts';
import { bundleAll } from '../build/all.ts';
import type { Bundle } from '../build/bundles.ts';
import { output, run } from '../debian/commands.ts';

/** The folder of the functions in the image. */
const app = 'app';

/** Writes the bundles of all functions with their code caches, which the image's own Node.js makes in its place. */
export async function layFunctions(root: string, log: (line: string) => void): Promise<readonly Bundle[]> {
  const folder = join(root, app);
  mkdirSync(folder);
  const bundles = await bundleAll(folder);
  rmSync(join(folder, 'meta'), { recursive: true });
  await makeCaches(root, log);
  return bundles.filter(({ name }) => name !== 'code-cache');
}

async function makeCaches(root: string, log: (line: string) => void): Promise<void> {
  for (const path of [join(root, app, 'functions'), join(root, 'tmp')]) chmodSync(path, 0o777);
  output('chmod', '-R', 'a+rX', join(root, app));
  const node = ['/usr/local/bin/node', `/${app}/code-cache.cjs`];
  const owner = `${String(user.id)}:${String(user.id)}`;
  const isRoot = process.getuid?.() === 0;
  const enter = isRoot ? ['chroot', `--userspec=${owner}`, root] : ['unshare', '--map-root-user', 'chroot', root];
  const args = ['--ignore-environment', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', ...enter, ...node];
  await run({ what: "Making the functions' code caches", command: 'env', args }, log);
  rmSync(join(root, app, 'code-cache.cjs'));
  for (const name of readdirSync(join(root, 'tmp'))) rmSync(join(root, 'tmp', name), { recursive: true });
}
