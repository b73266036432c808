import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Architecture } from '../../packages/image/architecture.ts';
import { layBase } from '../../packages/image/base.ts';
import type { Origin } from '../../packages/image/config.ts';
import type { LayerPlan } from '../../packages/image/layout.ts';
import { output } from '../debian/commands.ts';
import { layFunctions } from './app.ts';
import { type NpmPackage, npmPackagesIn } from './npm-packages.ts';
import { layNode } from './program.ts';
import { bomOf, type NodeProgram } from './sbom.ts';

const project = join(import.meta.dirname, '../..');

/** The folder with the documents about the image's parts. */
const documents = 'usr/local/share/doc/knudge';

/** The layers of the image, those that change least first: an upgrade replaces only the last one. */
export const plans: readonly LayerPlan[] = [
  { name: 'libraries of Debian 12', paths: ['etc', 'lib', 'lib64', 'tmp', 'usr/lib', 'usr/share', 'var'] },
  { name: 'Node.js', paths: ['usr/local/bin', 'usr/local/share/doc/node'] },
  { name: 'functions', paths: ['app', documents] },
];

/** Writes the file system of the image into an empty folder. Returns the list of its parts. */
export async function layRoot(root: string, { arch, origin, log }: RootOptions): Promise<object> {
  mkdirSync(root, { recursive: true });
  await layBase(root, arch, log);
  layNode(root, project, arch);
  makeReadable(root);
  const bundles = await layFunctions(root, log);
  const npm = npmPackagesIn(bundles, project);
  const bom = bomOf({ arch, origin, npm, node: nodeIn(root) });
  mkdirSync(join(root, documents), { recursive: true });
  writeFileSync(join(root, documents, 'sbom.cdx.json'), `${JSON.stringify(bom, null, 2)}\n`);
  writeFileSync(join(root, documents, 'LICENSE'), readFileSync(join(project, 'LICENSE')));
  writeFileSync(join(root, documents, 'licenses-of-packages'), licenseTexts(npm));
  makeReadable(root);
  chmodSync(join(root, 'tmp'), 0o1777);
  return bom;
}

/** For every user, under any umask of the builder. */
function makeReadable(root: string): void {
  output('chmod', '-R', 'u=rwX,go=rX', root);
}

interface RootOptions {
  readonly arch: Architecture;
  readonly origin: Origin;
  readonly log: (line: string) => void;
}

function nodeIn(root: string): NodeProgram {
  const program = join(root, 'usr/local/bin/node');
  const said = JSON.parse(output(program, '--print', 'JSON.stringify(process.versions)')) as Record<string, string>;
  const { node = '', ...contains } = said;
  return { version: node, contains, sha256: createHash('sha256').update(readFileSync(program)).digest('hex') };
}

function licenseTexts(packages: readonly NpmPackage[]): string {
  return packages
    .map(({ name, version, license, texts }) => `## ${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`)
    .join('\n');
}
