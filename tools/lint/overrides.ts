import { posix } from 'node:path';
import type { Direction } from './direction.ts';

interface Pattern {
  readonly group: readonly string[];
  readonly message: string;
}

/** How many folders below its own a file may lie; deeper files meet the rule for folders without a row. */
const depths = [1, 2, 3];

/** What may import everything. */
const apart = ['!**/test/**', '!packages/kube-api/fidelity/**'];

/** The entry of a package: what others import of it once it is packed. */
export const entry = {
  files: 'packages/*/index.ts',
  because: 'the entry of a package imports from its own package alone: it only says what others may use of it.',
} as const;

/** The table of directions as text for the linter: one override for each folder and depth, and one for the entries. */
export function overridesText(directions: readonly Direction[]): string {
  const lines = [
    override(
      ['packages/**', 'resources/**', 'cli/**', ...apart],
      [{ group: ['**'], message: 'This folder has no row yet: see tools/lint/directions.ts.' }],
    ),
    ...directions.flatMap((direction) =>
      depths.map((depth) => override([includesAt(direction, depth), ...apart], patterns(direction, depth))),
    ),
    override([entry.files], [{ group: ['**', '!./**', './**/../**'], message: entry.because }]),
  ];
  return `{\n  "overrides": [\n${lines.map((line) => `    ${line}`).join(',\n')}\n  ]\n}\n`;
}

function override(includes: readonly string[], restricted: readonly Pattern[]): string {
  const noRestrictedImports = { level: 'error', options: { patterns: restricted } };
  return JSON.stringify({ includes, linter: { rules: { style: { noRestrictedImports } } } });
}

function includesAt({ folder }: Direction, depth: number): string {
  return `${folder}/${'*/'.repeat(depth - 1)}*.{ts,js}`;
}

/**
 * As in a .gitignore the last pattern that fits decides, and `!` takes a path out again. So folders around this one come
 * first in `may`.
 */
function patterns({ folder, may, packages, because }: Direction, depth: number): Pattern[] {
  const here = `${folder}${'/x'.repeat(depth - 1)}`;
  const folders = may.map((other) => posix.relative(here, other)).flatMap(taken);
  const modules = packages.flatMap((name) => [`!${name}`, `!${name}/**`]);
  const folderRule = `${folder} imports no other folder${but(may)}: ${because}`;
  const packageRule = `${folder} imports no package${but(packages)}: ${because}`;
  return [
    { group: [`${'../'.repeat(depth)}**`, ...folders], message: folderRule },
    { group: ['**', '!./**', '!../**', ...modules], message: packageRule },
  ];
}

/** A folder around this one takes those around itself with it: they are refused again. */
function taken(other: string): string[] {
  return /^[./]+$/.test(other) ? [`!${other}/**`, `${other}/../**`] : [`!${other}/**`];
}

function but(allowed: readonly string[]): string {
  return allowed.length === 0 ? '' : ` but ${allowed.join(', ')}`;
}
