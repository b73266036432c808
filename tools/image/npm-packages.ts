import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundle } from '../build/bundles.ts';
import { BuildError } from '../build/errors.ts';

/** A package with code in a bundle. */
export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** In the notation of SPDX. */
  readonly license: string;
  /** The texts that must accompany it. */
  readonly texts: readonly string[];
  /** SHA-512 of the registry's file, in hexadecimal. */
  readonly sha512: string;
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
}

/** The packages with code in the bundles, sorted by name; `project` has the lockfile and node_modules. */
export function npmPackagesIn(bundles: readonly Pick<Bundle, 'metafile'>[], project: string): readonly NpmPackage[] {
  const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as Lock;
  const inputs = bundles.flatMap(({ metafile }) =>
    Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs)),
  );
  const used = inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? folderOf(path) : []));
  const packages = [...new Set(used)].map((folder) => readPackage(folder, { project, lock }));
  // npm may have put one package into several folders.
  const byName = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]));
  return [...byName].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, found]) => found);
}

/** The folder of the package that a file is in, such as node_modules/a/node_modules/@b/c; empty if it is in none. */
function folderOf(path: string): readonly string[] {
  const found = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path);
  return found === null ? [] : [found[0]];
}

function readPackage(folder: string, { project, lock }: { project: string; lock: Lock }): NpmPackage {
  const at = join(project, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as Manifest;
  const [, base64] = /^sha512-(.+)$/.exec(lock.packages[folder]?.integrity ?? '') ?? [];
  if (name === undefined || version === undefined || license === undefined || base64 === undefined) {
    throw new BuildError(
      `${folder} lacks a name, a version, a license or a checksum, which the image's list of parts needs.`,
    );
  }
  const files = existsSync(at) ? readdirSync(at).filter((file) => /^(licen[cs]e|notice)/i.test(file)) : [];
  const texts = files.sort().map((file) => readFileSync(join(at, file), 'utf8').trim());
  return { name, version, license, texts, sha512: Buffer.from(base64, 'base64').toString('hex') };
}
