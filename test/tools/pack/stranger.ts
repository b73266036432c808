import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../../house/files.ts';

/** A project that stands outside of this repository. */
export interface Stranger {
  readonly folder: string;
  readonly run: (file: string) => Ended;
  /** Checks the types of all files. */
  readonly check: () => Ended;
  readonly remove: () => void;
}

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The types that a project for Node.js usually has. */
const usual = '@types/node';

/** Unpacks tarballs as npm would, with those packages of others that their package.json names, and no more; and the files. */
export function startProject(tarballs: readonly string[], files: Readonly<Record<string, string>>): Stranger {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-stranger-'));
  installIn(folder, tarballs);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024'],
    types: ['node'],
  };
  const written = {
    'package.json': JSON.stringify({ name: 'stranger', type: 'module' }),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.ts'] }),
    ...files,
  };
  for (const [name, text] of Object.entries(written)) writeFileSync(join(folder, name), text);
  const node = (...args: readonly string[]): Ended =>
    spawnSync(process.execPath, args, { cwd: folder, env: { TZ: 'UTC' }, encoding: 'utf8' });
  return {
    folder,
    run: (file) => node(file),
    check: () => node(join(root, 'node_modules/typescript/bin/tsc'), '-p', folder),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Unpacks tarballs into a project as npm would, and links what they need of others from this repository's packages. */
function installIn(folder: string, tarballs: readonly string[]): void {
  const others = new Set([usual]);
  for (const tarball of tarballs) for (const name of unpack(tarball, join(folder, 'node_modules'))) others.add(name);
  for (const name of others) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link);
  }
}

/** Returns what the package depends on besides packages of ours. */
function unpack(tarball: string, modules: string): readonly string[] {
  const draft = join(modules, '.draft');
  mkdirSync(draft, { recursive: true });
  const { status, stderr } = spawnSync('tar', ['-xzf', tarball, '-C', draft], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`tar failed: ${stderr}`);
  const manifest = JSON.parse(readFileSync(join(draft, 'package/package.json'), 'utf8')) as {
    readonly name: string;
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  cpSync(join(draft, 'package'), join(modules, manifest.name), { recursive: true });
  rmSync(draft, { recursive: true });
  return Object.keys(manifest.dependencies ?? {}).filter((name) => !name.startsWith('@knudge/'));
}
