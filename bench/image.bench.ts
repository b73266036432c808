import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { originOf } from '../packages/image/origin.ts';
import { buildImage } from '../tools/image/build.ts';
import { readArguments } from './arguments.ts';
import { type Row, report } from './report.ts';

/** Megabytes of the layer that a new version changes: what a node pulls before it starts that version. */
const largestUpgrade = 4;
/** Megabytes of all layers, as they are pulled. */
const largestImage = 60;

const args = readArguments(process.argv.slice(2));
const folder = mkdtempSync(join(tmpdir(), 'knudge-bench-image-'));
try {
  const began = performance.now();
  const { layers, archive, parts } = await buildImage(folder, {
    origin: originOf(process.cwd(), process.env),
    log: (line) => console.error(line),
  });
  const seconds = (performance.now() - began) / 1000;
  const megabytes = (bytes: number): number => bytes / 1_000_000;
  const pulled = megabytes(layers.reduce((sum, { size }) => sum + size, 0));
  const unpacked = megabytes(layers.reduce((sum, layer) => sum + layer.unpacked, 0));
  const rows: Row[] = layers.map((layer, index) => {
    const MB = megabytes(layer.size);
    const isLast = index === layers.length - 1;
    return {
      name: `layer: ${layer.name}`,
      figures: { MB, 'unpacked MB': megabytes(layer.unpacked) },
      ...(isLast && { goal: { value: MB, most: largestUpgrade, tolerance: 0 } }),
    };
  });
  rows.push(
    {
      name: 'all layers',
      figures: { MB: pulled, 'unpacked MB': unpacked },
      goal: { value: pulled, most: largestImage, tolerance: 0 },
    },
    { name: 'the archive', figures: { MB: megabytes(statSync(archive).size) } },
    ...Object.entries(packagesIn(parts)).map(([name, count]): Row => ({ name, figures: { count } })),
    { name: 'building it', figures: { seconds } },
  );
  report('The image: what is pulled, what is on the disk, and what is in it', rows, { ...args, rounds: 1 });
} finally {
  rmSync(folder, { recursive: true });
}

function packagesIn(parts: object): Readonly<Record<string, number>> {
  const { components } = parts as { readonly components: readonly { readonly purl: string }[] };
  const count = (beginning: string): number => components.filter(({ purl }) => purl.startsWith(beginning)).length;
  return { 'packages of Debian': count('pkg:deb/'), 'packages of npm, Node.js among them': count('pkg:npm/') };
}
