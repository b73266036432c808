import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Files and what must be in them. */
export interface Holding {
  /** The folder that all paths begin in. */
  readonly root: string;
  /** Contents by path; undefined where no file may be. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** Changes nothing. */
  readonly check: boolean;
}

/** A file that was not what it must be, and what became of it: with `check` it stays as it was. */
export interface Held {
  readonly file: string;
  readonly is: 'written' | 'removed' | 'stale';
}

/** Makes each file what it must be; returns those that were something else. */
export async function hold({ root, files, check }: Holding): Promise<readonly Held[]> {
  const held: Held[] = [];
  for (const [file, wanted] of files) {
    const path = join(root, file);
    const present = await readFile(path, 'utf8').catch(() => undefined);
    if (wanted === present) continue;
    if (check) {
      held.push({ file, is: 'stale' });
    } else if (wanted === undefined) {
      await rm(path);
      held.push({ file, is: 'removed' });
    } else {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, wanted);
      held.push({ file, is: 'written' });
    }
  }
  return held;
}
