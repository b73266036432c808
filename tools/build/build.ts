import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheOf } from '../../packages/image/cache/script.ts';
import { bundleAll } from './all.ts';
import type { Bundle } from './bundles.ts';
import { BuildError } from './errors.ts';

const usage = `One file for each function, for the image.

  npm run build -- [--out FOLDER] [--code-cache]

--out FOLDER    where to; default dist
--code-cache    V8's code cache beside each function, for this very Node.js and the user that runs this

FOLDER/function.cjs <stem> starts a function, and <service> one of those that serve several; FOLDER/code-cache.cjs makes the code caches later, in the image.`;

try {
  await main();
} catch (error) {
  if (!(error instanceof BuildError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: 'dist' }, 'code-cache': { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help === true) {
    console.log(usage);
    return;
  }
  const folder = resolve(values.out);
  const bundles = await bundleAll(folder);
  if (values['code-cache'] === true) makeCaches(folder);
  console.table(bundles.map(rowOf));
}

function makeCaches(folder: string): void {
  const { status } = spawnSync(process.execPath, [join(folder, 'code-cache.cjs')], { stdio: 'inherit' });
  if (status === 0) return;
  throw new BuildError('The code caches could not be made: see above. The bundles are there and run without.');
}

function rowOf({ name, file, bytes }: Bundle) {
  const cache = statSync(cacheOf(file), { throwIfNoEntry: false });
  return { file: name, KB: kilobytes(bytes), 'cache KB': cache === undefined ? '-' : kilobytes(cache.size) };
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 100) / 10;
}
