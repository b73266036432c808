import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The stems of all functions, read from the text of the table: to load it would load them all, which is much for a list of names. */
export function stemsIn(root: string): readonly string[] {
  const text = readFileSync(join(root, 'functions/table.ts'), 'utf8');
  const [, rows = ''] = /^export const functions = \{\n(.*?)^\}/ms.exec(text) ?? [];
  return [...rows.matchAll(/^ {2}'([a-z-]+)': /gm)].map(([, stem = '']) => stem).sort();
}
