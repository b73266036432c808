import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

interface Wanted {
  /** Below the root of the project. */
  readonly folder: string;
  /** Contents by paths below the folder. */
  readonly files: ReadonlyMap<string, string>;
  /** Names of files that people write. */
  readonly byHand: readonly string[];
  /** Reports differences instead of writing the files. */
  readonly check: boolean;
  /** The command that makes the folder, for messages. */
  readonly command: string;
}

const root = join(import.meta.dirname, '../..');

/** Makes a folder hold exactly these files; with `check` it reports the differences, and the process fails. */
export async function bring({ folder, files, byHand, check, command }: Wanted): Promise<void> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  const present = entries
    .filter((entry) => entry.isFile() && !byHand.includes(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, folder).length + 1));
  for (const file of new Set([...files.keys(), ...present])) {
    const path = join(root, folder, file);
    const wanted = files.get(file);
    if (wanted === (await readFile(path, 'utf8').catch(() => undefined))) continue;
    if (check) {
      process.stderr.write(`${folder}/${file} is not what the kustomizations make: run \`${command}\`\n`);
      process.exitCode = 1;
    } else if (wanted === undefined) {
      await rm(path);
      process.stdout.write(`${folder}/${file} removed\n`);
    } else {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, wanted);
      process.stdout.write(`${folder}/${file} written\n`);
    }
  }
}
