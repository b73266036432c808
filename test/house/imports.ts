import { stripTypeScriptTypes } from 'node:module';
import { posix } from 'node:path';
import type { Direction } from '../../tools/lint/direction.ts';
import { directions } from '../../tools/lint/directions.ts';

/** `from '…'`, `import '…'`, `import('…')`, `require('…')`, `import.meta.resolve('…')`, also with a template instead of quotes. */
const naming = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\(|\bimport\.meta\.resolve\s*\()\s*(['"`])([^'"`\n]+)\1/g;
/** Tests. */
const mayImportAll = /^packages\/kube-api\/fidelity\/|(?:^|\/)test\//;
const isEntry = /^packages\/[^/]+\/index\.ts$/;
const computed = /\b(?:import|require)\s*\(\s*[^'"`\s)]/;

/** What a file names as import, by any syntax; with `atRunTime` without what only types need. */
export function specifiersOf(source: string, need: 'at all' | 'at run time' = 'at all'): readonly string[] {
  const code = need === 'at run time' ? stripTypeScriptTypes(source) : source;
  return [...withoutComments(code).matchAll(naming)].map(([, , specifier = '']) => specifier);
}

/** Whether it imports something whose name is made while it runs, so that no rule can see it. */
export function importsComputedName(source: string): boolean {
  return computed.test(withoutComments(source));
}

/** Whether the table of directions lets this file import that; files outside of its folders may import everything. */
export function mayImport(path: string, specifier: string): boolean {
  if (mayImportAll.test(path)) return true;
  if (isEntry.test(path)) return specifier.startsWith('./') && !specifier.includes('/../');
  const row = rowOf(path);
  if (row === undefined) return !/^(?:packages|resources|cli)\//.test(path);
  if (!specifier.startsWith('.')) return row.packages.some((name) => isPackage(specifier, name));
  const target = posix.join(posix.dirname(path), specifier);
  return [row.folder, ...row.may].some((folder) => target.startsWith(`${folder}/`));
}

function rowOf(path: string): Direction | undefined {
  return directions
    .filter(({ folder }) => path.startsWith(`${folder}/`))
    .reduce<Direction | undefined>(
      (best, row) => (best !== undefined && best.folder.length > row.folder.length ? best : row),
      undefined,
    );
}

function isPackage(specifier: string, name: string): boolean {
  if (name.endsWith('*')) return specifier.startsWith(name.slice(0, -1));
  return specifier === name || specifier.startsWith(`${name}/`);
}

function withoutComments(source: string): string {
  return source.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
}
