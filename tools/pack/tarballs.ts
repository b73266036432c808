import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BuildError } from '../build/errors.ts';
import { compile } from './compile.ts';
import { type Content, layOut } from './lay-out.ts';
import { type Manifest, neededBy } from './manifest.ts';
import { type Package, packageOf, packages } from './packages.ts';
import { refusalsOf } from './refusals.ts';
import { readSources } from './sources.ts';

interface Packing {
  readonly root: string;
  readonly wanted: readonly Package[];
  /** The folder of the tarballs, as an absolute path. */
  readonly out: string;
}

/** Makes a tarball of each package, and of one that can stand alone a second one, and returns their names in that order. Throws BuildError with all that is in the way. */
export function makeTarballs({ root, wanted, out }: Packing): readonly string[] {
  const sources = readSources(root);
  const manifestOf = ({ folder }: Package): Manifest =>
    JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
  const rows: readonly Content[] = wanted.flatMap((one) => [
    { one, within: [], name: manifestOf(one).name },
    ...(one.alone === undefined ? [] : [{ one, within: siblingsOf(one, manifestOf), name: one.alone }]),
  ]);
  const laidOut = packages.filter((some) => rows.some(({ one, within }) => one === some || within.includes(some)));
  const refusals = laidOut.flatMap((one) => refusalsOf(one, sources, manifestOf(one)));
  if (refusals.length > 0) throw new BuildError(refusals.join('\n'));
  const work = mkdtempSync(join(tmpdir(), 'knudge-packages-'));
  try {
    const isWanted = (path: string): boolean => laidOut.some((one) => one === packageOf(path));
    const files = [...sources.code].filter((path) => path.endsWith('.ts') && isWanted(path));
    const parts = { root, sources, manifestOf, compiled: compile({ root, folder: work, files }) };
    const folders = rows.map(({ one, within, name }) => {
      const folder = join(work, name);
      layOut(folder, { one, within, name }, parts);
      for (const other of within) {
        const { name: its } = manifestOf(other);
        layOut(join(folder, 'node_modules', its), { one: other, within: [], name: its }, parts);
      }
      return folder;
    });
    mkdirSync(out, { recursive: true });
    return npmPack(folders, out);
  } finally {
    rmSync(work, { recursive: true });
  }
}

function siblingsOf(one: Package, manifestOf: (one: Package) => Manifest): readonly Package[] {
  const named = new Map(packages.map((some) => [`@knudge/${some.name}`, some]));
  const dependenciesOf = (name: string): readonly string[] => {
    const some = named.get(name);
    const { dependencies = {} } = some === undefined ? {} : manifestOf(some);
    return Object.keys(dependencies).filter((other) => named.has(other));
  };
  return neededBy(`@knudge/${one.name}`, dependenciesOf).flatMap((name) => named.get(name) ?? []);
}

/** npm gives every file the same time, so that the same files are the same tarball. */
function npmPack(folders: readonly string[], out: string): readonly string[] {
  const args = ['pack', ...folders, '--silent', '--ignore-scripts', '--pack-destination', out];
  const { status, stdout, stderr, error } = spawnSync('npm', args, { encoding: 'utf8' });
  if (status !== 0) throw new BuildError(`npm pack failed: ${error?.message ?? stderr}`);
  return stdout.trim().split('\n');
}
