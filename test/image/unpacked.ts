import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { originOf } from '../../packages/image/origin.ts';
import { type BuiltImage, buildImage } from '../../tools/image/build.ts';

/** The image as it is shipped, built now, and what is in its archive. */
export interface UnpackedImage extends BuiltImage {
  /** A folder with the archive as it is. */
  readonly layout: string;
  /** A folder with all its layers, one over the other. */
  readonly root: string;
  remove(): void;
}

/** Builds the image, and unpacks its archive as a container runtime would. */
export async function unpackedImage(): Promise<UnpackedImage> {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-unpacked-'));
  const [layout, root] = [join(folder, 'layout'), join(folder, 'root')];
  const built = await buildAnew(folder);
  for (const each of [layout, root]) mkdirSync(each);
  execFileSync('tar', ['--extract', `--file=${built.archive}`, `--directory=${layout}`]);
  const [image] = JSON.parse(readFileSync(join(layout, 'manifest.json'), 'utf8')) as { Layers: string[] }[];
  for (const layer of image?.Layers ?? []) {
    const options = ['--extract', '--gzip', '--preserve-permissions', '--numeric-owner'];
    execFileSync('tar', [...options, `--file=${join(layout, layer)}`, `--directory=${root}`]);
  }
  return { ...built, layout, root, remove: () => rmSync(folder, { recursive: true }) };
}

export function buildAnew(folder: string): Promise<BuiltImage> {
  return buildImage(folder, { origin: originOf(process.cwd(), process.env), log: () => undefined });
}

/** A file of provenance without what differs from run to run: its id and its times. */
export function withoutRun(file: string): object {
  const { predicate, ...said } = JSON.parse(readFileSync(file, 'utf8')) as { predicate: { buildDefinition: object } };
  return { ...said, ...predicate.buildDefinition };
}
