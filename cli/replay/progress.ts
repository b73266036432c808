import type { Counts } from '../../packages/event-log/replay/replay.ts';

export interface ProgressParts {
  readonly total: number;
  /** `process.stderr`, or a test's stand-in. */
  readonly stream: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Shows progress only on a terminal. */
  readonly isQuiet: boolean;
}

/** Shows how far a long piece of work is. */
export interface Progress {
  update(counts: Counts): void;
  /** Prints a line above the progress. */
  say(line: string): void;
  end(): void;
}

/** Milliseconds between two updates: on a terminal, and elsewhere, where each update is a line. */
const betweenMs = { terminal: 100, elsewhere: 5000 } as const;

const clearLine = '\r\u001b[K';

/** A bar on a terminal; elsewhere a line every few seconds. */
export function createProgress({ total, stream, now, isQuiet }: ProgressParts): Progress {
  const isTerminal = stream.isTTY === true;
  const began = now();
  let last = began;
  let shown = '';
  return {
    update: ({ sent, refused }) => {
      const done = sent + refused;
      const between = isTerminal ? betweenMs.terminal : betweenMs.elsewhere;
      if ((isQuiet && !isTerminal) || (now() - last < between && !(isTerminal && done === total))) return;
      last = now();
      const told = tell({ done, total, ms: last - began });
      shown = isTerminal ? withBar(told, done / Math.max(total, 1), stream.columns ?? 80) : '';
      stream.write(isTerminal ? `${clearLine}${shown}` : `${told}\n`);
    },
    say: (line) => {
      if (!isQuiet) stream.write(isTerminal ? `${clearLine}${line}\n${shown}` : `${line}\n`);
    },
    end: () => {
      if (shown !== '') stream.write(clearLine);
    },
  };
}

function tell({ done, total, ms }: { done: number; total: number; ms: number }): string {
  const rate = done / Math.max(ms / 1000, 0.001);
  const left = Math.max(total - done, 0) / Math.max(rate, 0.001);
  return `${done} of ${total}, ${rate.toFixed(rate < 10 ? 1 : 0)}/s, ${spanOf(left)} left`;
}

/** `3 h 5 min`, `2 min 7 s`, `9 s`. */
function spanOf(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60)];
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

function withBar(told: string, share: number, columns: number): string {
  const width = Math.min(columns - told.length - 4, 40);
  if (width < 5) return told.slice(0, columns - 1);
  const full = Math.min(Math.floor(share * width), width);
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${told}`;
}
