import type { KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { output, run } from '../debian/commands.ts';
import { makeArtefacts } from './artefacts.ts';
import type { Base } from './checks.ts';
import { setVersion } from './set-version.ts';

interface Making {
  readonly version: string;
  readonly date: string;
  readonly key: KeyObject;
  readonly folder: string;
  readonly log: (line: string) => void;
  /** Throws if a signal has asked it to end. */
  readonly goOn: () => void;
}

export interface Made {
  /** The commit with the version, which is on no branch yet. */
  readonly commit: string;
  /** The files that the commit changes, with how much. */
  readonly changes: string;
  readonly artefacts: readonly string[];
}

/** Makes commit and artefacts in a tree of their own, which is deleted afterwards. The user's own tree is not changed. */
export async function makeRelease(base: Base, making: Making): Promise<Made> {
  const { version, date, key, folder, log, goOn } = making;
  const git = (...args: readonly string[]): string => output('git', '-C', base.root, ...args).trimEnd();
  const tree = join(mkdtempSync(join(tmpdir(), 'knudge-release-')), 'tree');
  log(`Checking out ${base.commit.slice(0, 12)} into a tree of its own.`);
  git('worktree', 'add', '--quiet', '--detach', tree, base.commit);
  try {
    await run({ what: 'Installing its packages (npm ci)', command: 'npm', args: ['ci', '--silent'], cwd: tree }, log);
    goOn();
    const commit = await setVersion(tree, { from: base.version, to: version, date, log });
    goOn();
    const artefacts = await makeArtefacts({ tree, folder, version, key, log });
    goOn();
    return { commit, artefacts, changes: git('show', '--stat=100', '--format=', commit) };
  } finally {
    git('worktree', 'remove', '--force', tree);
    rmSync(join(tree, '..'), { recursive: true, force: true });
  }
}
