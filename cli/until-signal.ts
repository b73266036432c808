import { exitCodes } from './exit-codes.ts';

/** `process`, or a test's stand-in. */
interface Signals {
  on(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown;
  readonly stdout?: { on(event: 'error', listener: () => void): unknown };
}

/** Milliseconds: one Ctrl-C can arrive twice, from the terminal and from npm. */
const sameMs = 300;

/** Resolves when a signal asks the process to end or its output has no reader any more; a second signal ends it at once. */
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
    // Each line that is written without a reader gives this error: `| head`.
    signals.stdout?.on('error', resolve);
  });
}
