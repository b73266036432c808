import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import type { From } from './source.ts';

/** Where replays that ended early go on: `replay.json` in the folder, by which events they are of. */
export interface Places {
  read(): From | undefined;
  /** Remembers where it is; on the disk at least every hundred events and every fifth of a second. */
  remember(from: From): void;
  /** Writes what is remembered. */
  flush(): void;
  forget(): void;
}

/** So many events are sent twice at most after a kill, or those of so many milliseconds. */
const mostAtRisk = 100;
const longestMs = 200;

/**
 * The place of one replay. The same one twice at once writes into the same place: each knows of it that all before it is
 * sent, so whichever writes last is right.
 */
export function openPlaces(dir: string, key: string, now: () => number = () => performance.now()): Places {
  const file = join(dir, 'replay.json');
  let waiting: From | undefined;
  let [count, written] = [0, now()];
  const flush = (): void => {
    if (waiting === undefined) return;
    write({ ...readAll(file), [key]: waiting });
    waiting = undefined;
    count = 0;
    written = now();
  };
  const write = (all: All): void => {
    const draft = `${file}.${process.pid}`;
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  };
  return {
    read: () => readAll(file)[key],
    remember: (from) => {
      waiting = from;
      count += 1;
      if (count >= mostAtRisk || now() - written >= longestMs) flush();
    },
    flush,
    forget: () => {
      waiting = undefined;
      const { [key]: own, ...others } = readAll(file);
      if (Object.keys(others).length === 0) rmSync(file, { force: true });
      else if (own !== undefined) write(others);
    },
  };
}

type All = Readonly<Record<string, From>>;

function readAll(file: string): All {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return {};
  }
  try {
    return JSON.parse(text) as All;
  } catch (cause) {
    throw new KnudgeError('misuse', `${file} is not what a replay wrote: take it away`, { cause });
  }
}
