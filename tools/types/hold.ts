import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

interface Held {
  /** The folder that all paths begin in. */
  readonly root: string;
  /** Contents by path; undefined where no file may be. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** Reports what is wrong instead of changing it. */
  readonly check: boolean;
  /** What the files follow from, and what people type to have them made. */
  readonly from: string;
  readonly command: string;
}

/** Makes each file what it must be; with `check` it reports those that are something else, and the process fails. */
export async function hold({ root, files, check, from, command }: Held): Promise<void> {
  for (const [file, wanted] of files) {
    const path = join(root, file);
    const present = await readFile(path, 'utf8').catch(() => undefined);
    if (wanted === present) continue;
    if (check) {
      process.stderr.write(`${file} is not what ${from} say: run \`${command}\`\n`);
      process.exitCode = 1;
    } else if (wanted === undefined) {
      await rm(path);
      process.stdout.write(`${file} removed\n`);
    } else {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, wanted);
      process.stdout.write(`${file} written\n`);
    }
  }
}
