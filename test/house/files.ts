import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** Folders that are not the project's own, wherever they lie. */
const foreign = new Set(['node_modules', '.git', 'dist', '.knudge', 'coverage']);

/** Every file of a folder as paths from the root, sorted; with a suffix only those that end so; none where there is no folder. */
export function filesOf(folder: string, suffix = ''): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !foreign.has(name))
    .flatMap((entry) => {
      const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return filesOf(path, suffix);
      return path.endsWith(suffix) ? [path] : [];
    })
    .sort();
}

/** The code that Knudge runs by: tests and what starts the functions from their sources lie beside it. */
export const shipped = ['packages', 'resources', 'cli', 'functions']
  .flatMap((folder) => filesOf(folder, '.ts'))
  .filter((path) => !/\/(?:test|fidelity)\/|^functions\/start\.ts$/.test(path));

export function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The text, or nothing where the file is missing: for lists that then name each missing row. */
export function textIfAny(path: string): string {
  return existsSync(join(root, path)) ? textOf(path) : '';
}

/** The first cell of each row of the tables in a Markdown file whose first cell is one piece of code, sorted. */
export function firstCells(path: string): readonly string[] {
  return [...textIfAny(path).matchAll(/^\|\s*`([^`]+)`[^|]*\|/gm)].map(([, cell = '']) => cell).sort();
}
