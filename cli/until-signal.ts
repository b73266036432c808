import { exitCodes } from './exit-codes.ts';

/** `process`, or a stand-in. */
interface Signals {
  on(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown;
  readonly stdout?: { on(event: 'error', listener: () => void): unknown };
}

/** Milliseconds: one Ctrl-C can arrive twice, from the terminal and from npm. */
const sameMs = 300;

/** Resolves when the process is told to end, or when nobody reads any more what it says; told once more, it ends at once. */
export function untilSignal(
  signals: Signals,
  exit: (code: number) => void,
  now: () => number = () => performance.now(),
): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const told = (): void => {
      if (first !== undefined && now() - first > sameMs) exit(exitCodes.interrupted);
      first ??= now();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) signals.on(signal, told);
    // As often as there is a line for the reader that is gone: `| head`.
    signals.stdout?.on('error', resolve);
  });
}
