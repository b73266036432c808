import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { biome } from '../../tools/lint/biome.ts';

export interface Finding {
  readonly path: string;
  readonly line: number;
  /** The last part of its category. */
  readonly rule: string;
  readonly message: string;
}

const root = join(import.meta.dirname, '../..');
const configuration = ['biome.json', 'tools/lint/imports.json', 'package.json', 'tsconfig.json'];

/** Lints these files (path → text) with the configuration of the project, in a folder of their own that is removed. */
export function lintCopy(files: ReadonlyMap<string, string>): readonly Finding[] {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-lint-'));
  try {
    for (const path of configuration) cpSync(join(root, path), join(folder, path), { recursive: true });
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return findings(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Report {
  readonly diagnostics: readonly {
    readonly category: string;
    readonly message: string;
    readonly location: { readonly path: string; readonly start?: { readonly line: number } };
  }[];
  readonly summary: { readonly unchanged: number };
}

function findings(folder: string): readonly Finding[] {
  const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (!stdout.startsWith('{')) throw new Error(`the linter gave no report: ${stderr.slice(0, 2000)}`);
  return (JSON.parse(stdout) as Report).diagnostics.map(({ category, message, location }) => ({
    path: location.path,
    line: location.start?.line ?? 0,
    rule: category.split('/').at(-1) ?? category,
    message,
  }));
}
