// Builds the console into a folder, which no clone serves, and prints the sizes: node tools/console/build.ts [--out FOLDER]
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { buildConsole } from '../../packages/console/build/build.ts';

const { out } = parseArgs({
  options: { out: { type: 'string', default: join(import.meta.dirname, '../../dist/console') } },
}).values;

const folder = resolve(out);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, body] of buildConsole()) {
  writeFileSync(join(folder, name), body);
  console.log(`${join(folder, name)}: ${kilobytes(body.length)} KB, ${kilobytes(gzipSync(body).length)} KB as gzip`);
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
