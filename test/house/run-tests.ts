import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './files.ts';

interface Ended {
  readonly status: number | null;
  /** What it wrote, to either stream. */
  readonly output: string;
}

interface How {
  readonly suite?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs these test files (name → text) by tools/test/run.ts, in a folder of their own that is removed. */
export function runTests(
  files: Readonly<Record<string, string>>,
  { suite = 'unit', environment = {} }: How = {},
): Ended {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-runner-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, 'test', path, '..'), { recursive: true });
      writeFileSync(join(folder, 'test', path), text);
    }
    // Without NODE_TEST_CONTEXT it would take itself for a part of the run that this test belongs to.
    const env = { ...process.env, CI: '', ...environment, NODE_TEST_CONTEXT: undefined };
    const args = [join(root, 'tools/test/run.ts'), suite];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      env,
      encoding: 'utf8',
      timeout: 30_000,
    });
    return { status, output: stderr + stdout };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
