interface Runs<Result> {
  running: Promise<Result>;
  /** The run that begins when the present one has ended, for all who came meanwhile. */
  next?: Promise<Result>;
}

/**
 * Lets callers for the same key share runs: a caller that comes during a run gets the result of the next one, which begins
 * after it came. A run that began before could have read what was true before its event.
 */
export function share<Result>(run: (key: string) => Promise<Result>): (key: string) => Promise<Result> {
  const busy = new Map<string, Runs<Result>>();

  function start(key: string): Promise<Result> {
    const runs: Runs<Result> = { running: run(key) };
    busy.set(key, runs);
    const end = (): void => {
      if (busy.get(key) === runs) busy.delete(key);
    };
    runs.running.then(end, end);
    return runs.running;
  }

  return (key) => {
    const runs = busy.get(key);
    if (runs === undefined) return start(key);
    runs.next ??= runs.running.then(
      () => start(key),
      () => start(key),
    );
    return runs.next;
  };
}
