import type { EventLog, Sign } from '../../controller/domain/event-log.ts';

export interface SigningParts {
  readonly log: Pick<EventLog, 'sign'>;
  readonly sleeps: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly after: (ms: number, task: () => void) => () => void;
  readonly onFailed: (error: unknown) => void;
}

/** Milliseconds between signs of life. Each is one row and one sync of the disk. */
const interval = 10_000;

/** Writes a sign of life at once and then every ten seconds; returns the function that writes a last one and stops. */
export function keepSigning({ log, sleeps, now, after, onFailed }: SigningParts): () => Promise<void> {
  const state: { since?: number; stop: () => void; writing?: Promise<void> } = { stop: () => undefined };
  const write = async (sign: Sign): Promise<void> => {
    try {
      await log.sign(sign);
      state.since ??= sign.at;
    } catch (error) {
      onFailed(error);
    }
  };
  const signOf = (isLast: boolean): Sign => {
    const { since } = state;
    const at = now();
    // This code runs, so the process is alive, also while its store is not.
    if (since !== undefined) state.since = at;
    return { at, isLast, sleeps, ...(since !== undefined && { since }) };
  };
  const run = (): void => {
    const sign = signOf(false);
    // No second write begins while one hangs.
    state.writing ??= write(sign).finally(() => delete state.writing);
    state.stop = after(interval, run);
  };
  run();
  return async () => {
    state.stop();
    await state.writing;
    await write(signOf(true));
  };
}
