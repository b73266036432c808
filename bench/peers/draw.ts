import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { costPart, readmePart, svgOf, withPart } from './documents.ts';
import type { Measured } from './measured.ts';

const root = join(import.meta.dirname, '../..');

/** The measurement that the documents show. */
export const measuredFile = join(import.meta.dirname, 'measured.json');

export function readMeasured(path: string): Measured {
  return JSON.parse(readFileSync(path, 'utf8')) as Measured;
}

/** The files that show a measurement, with their new content. */
export function drawn(measured: Measured): ReadonlyMap<string, string> {
  const within = (path: string, part: string): readonly [string, string] => {
    const file = join(root, path);
    return [file, withPart(readFileSync(file, 'utf8'), part)];
  };
  return new Map([
    within('README.md', readmePart(measured)),
    within('docs/cost.md', costPart(measured)),
    [join(root, 'docs/peers.svg'), svgOf(measured)],
  ]);
}

export function draw(measured: Measured): readonly string[] {
  const files = new Map([[measuredFile, `${JSON.stringify(measured, undefined, 2)}\n`], ...drawn(measured)]);
  for (const [file, text] of files) writeFileSync(file, text);
  return [...files.keys()];
}
