import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BuildError } from '../build/errors.ts';

interface Compiling {
  readonly root: string;
  /** An empty folder for what is made. */
  readonly folder: string;
  /** From the root. */
  readonly files: readonly string[];
}

/** Has the compiler write JavaScript and declarations. Returns what it made of a file, by the source's path and the new ending. */
export function compile({ root, folder, files }: Compiling): (path: string, ending: '.js' | '.d.ts') => string {
  const compilerOptions = {
    noEmit: false,
    noEmitOnError: true,
    declaration: true,
    rootDir: root,
    outDir: join(folder, 'out'),
    typeRoots: [join(root, 'node_modules/@types')],
    // It would name a file of another package by its link in node_modules, where that package hides it.
    preserveSymlinks: true,
  };
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions,
    include: [],
    files: files.map((path) => join(root, path)),
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  if (status !== 0) throw new BuildError(`The compiler refuses the packages:\n${stdout}${stderr}`);
  return (path, ending) => readFileSync(join(folder, 'out', path.replace(/\.ts$/, ending)), 'utf8');
}
