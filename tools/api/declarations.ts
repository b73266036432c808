import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entries } from './entry.ts';

/** What the compiler declares of everything that the entry files reach. */
export interface Declarations {
  /** Of a source file, by its path from the root. */
  readonly read: (path: string) => string;
  readonly remove: () => void;
}

/** Has the compiler write the declarations into a folder of their own. Throws with what it says where it finds an error. */
export function declare(root: string): Declarations {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-api-'));
  const remove = (): void => rmSync(folder, { recursive: true });
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: root,
    outDir: join(folder, 'out'),
    typeRoots: [join(root, 'node_modules/@types')],
    // It would name a file of another package by its link in node_modules, where that package hides it.
    preserveSymlinks: true,
  };
  const files = entries.map((name) => join(root, 'packages', name, 'index.ts'));
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  if (status !== 0) {
    remove();
    throw new Error(`the compiler cannot declare what the entry files of packages/ export:\n${stdout}${stderr}`);
  }
  return { read: (path) => readFileSync(join(folder, 'out', path.replace(/\.ts$/, '.d.ts')), 'utf8'), remove };
}
