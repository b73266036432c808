import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Files of functions/ that are no function. */
const shared: ReadonlySet<string> = new Set(['table', 'watches', 'reconcile-all']);

/** The stems of all functions by their files: the table itself loads them all, which is much for a list of names. */
export function stemsIn(root: string): readonly string[] {
  return readdirSync(join(root, 'functions'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .filter((name) => !shared.has(name))
    .sort();
}
