import { hold as held } from '../packages/generate/hold.ts';

interface Holding {
  /** The folder that all paths begin in. */
  readonly root: string;
  readonly files: ReadonlyMap<string, string>;
  /** Reports what is wrong instead of changing it. */
  readonly check: boolean;
  /** What the files follow from, and what people type to have them made. */
  readonly from: string;
  readonly command: string;
}

/** Makes each file what it must be; with `check` it reports those that are something else, and the process fails. */
export async function hold({ from, command, ...holding }: Holding): Promise<void> {
  for (const { file, is } of await held(holding)) {
    if (is === 'stale') {
      process.stderr.write(`${file} is not what ${from} say: run \`${command}\`\n`);
      process.exitCode = 1;
    } else {
      process.stdout.write(`${file} ${is}\n`);
    }
  }
}
