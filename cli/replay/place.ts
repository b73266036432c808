import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import type { From } from './source.ts';

/** Where replays that ended early continue: `replay.json` in the folder, one entry for each replay. */
export interface Places {
  read(): From | undefined;
  /** Remembers the place; on the disk at least every hundred events and five times a second. */
  remember(from: From): void;
  /** Writes the remembered place to the disk. */
  flush(): void;
  forget(): void;
}

/** After a kill at most this many events are sent twice, or those of this many milliseconds. */
const mostAtRisk = 100;
const longestMs = 200;

/**
 * The place of one replay. Two runs of the same replay at once write to the same place: all events before either place were
 * sent, so it does not matter which of them writes last.
 */
export function openPlaces(dir: string, key: string, now: () => number = () => performance.now()): Places {
  const file = join(dir, 'replay.json');
  let waiting: From | undefined;
  let [count, written] = [0, now()];
  const flush = (): void => {
    const place = waiting;
    if (place === undefined) return;
    alone(dir, () => write({ ...readAll(file), [key]: place }));
    waiting = undefined;
    count = 0;
    written = now();
  };
  const write = (all: All): void => {
    const draft = `${file}.${process.pid}`;
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
      if (!existsSync(file)) return;
      alone(dir, () => {
        const { [key]: own, ...others } = readAll(file);
        if (Object.keys(others).length === 0) rmSync(file, { force: true });
        else if (own !== undefined) write(others);
      });
    },
  };
}

/** Milliseconds: a lock that is older was left by a process that was killed. A change takes a few. */
const longestLock = 1000;

/** Does the change while no other replay changes the file: a place that another one has forgotten must not come back. */
function alone(dir: string, change: () => void): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const lock = join(dir, 'replay.lock');
  for (
    const until = performance.now() + longestLock;
    ;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
  ) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (performance.now() > until) break;
    }
  }
  try {
    change();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
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
    throw new KnudgeError('misuse', `${file} was not written by a replay: delete it`, { cause });
  }
}
