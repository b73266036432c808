import { countOf } from '../words.ts';

/** `process.stderr`, or a test's stand-in. */
interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface Progress {
  /** Counts one more as done. */
  step(): void;
  /** Removes the line. */
  end(): void;
  readonly done: () => number;
}

/** Milliseconds between two updates of the line. */
const between = 100;

/** Counts what is done and shows it in one line if the screen is a terminal. */
export function showProgress(screen: Screen, total: number, now: () => number = () => performance.now()): Progress {
  let [done, shown] = [0, Number.NEGATIVE_INFINITY];
  const draw = (): void => {
    const share = total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total));
    screen.write(`\r${done.toLocaleString('en-US')} of ${countOf(total, 'event')}, ${share} %`);
  };
  return {
    step: () => {
      done += 1;
      if (screen.isTTY !== true || now() - shown < between) return;
      shown = now();
      draw();
    },
    end: () => {
      if (shown > Number.NEGATIVE_INFINITY) screen.write('\r\u001b[K');
    },
    done: () => done,
  };
}
