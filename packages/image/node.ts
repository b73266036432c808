import { chmodSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Architecture } from './architecture.ts';
import { BuildError } from './errors.ts';
import { type Pin, pins } from './pins.ts';

/**
 * Puts the Node.js that runs this into an image with the libraries of `pins`. Throws BuildError if it needs others, as that of a
 * distribution does.
 */
export function layThisNode(root: string, arch: Architecture): void {
  const { sharedObjects } = process.report.getReport() as { readonly sharedObjects: readonly string[] };
  const there = new Set([...Object.values<Pin>(pins).flatMap(({ libraries }) => libraries), basename(arch.loader)]);
  const lacking = sharedObjects
    .map((path) => basename(path))
    .filter((name) => !there.has(name) && !inKernel.test(name));
  if (lacking.length > 0) {
    throw new BuildError(
      `${process.execPath} needs ${lacking.join(', ')}, which the image does not have: run this command with the Node.js of nodejs.org, or use the Dockerfile.`,
    );
  }
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'));
  chmodSync(join(root, 'usr/local/bin/node'), 0o755);
  const license = join(dirname(process.execPath), '../LICENSE');
  mkdirSync(join(root, 'usr/local/share/doc/node'), { recursive: true });
  if (existsSync(license)) copyFileSync(license, join(root, 'usr/local/share/doc/node/LICENSE'));
}

const inKernel = /^linux-(?:vdso|gate)/;
