import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of the project: the nearest one, from the working directory upwards, that has functions/table.ts and crds/; else the clone that
 * this file is in, or the working directory if it is in none.
 */
export const root = projectAbove(process.cwd()) ?? projectAbove(import.meta.dirname) ?? process.cwd();

const manifest = readFileSync(fileURLToPath(new URL('./package.json', import.meta.url)), 'utf8');

/** The version of Knudge. */
export const { version } = JSON.parse(manifest) as { readonly version: string };

function projectAbove(folder: string): string | undefined {
  if (existsSync(join(folder, 'functions/table.ts')) && existsSync(join(folder, 'crds'))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : projectAbove(above);
}
