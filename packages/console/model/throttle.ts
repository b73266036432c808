/** Work that many ask for and that is done once for all who asked meanwhile. */
export interface Throttled {
  /** Has it done, this many milliseconds after the first call for it. */
  readonly call: () => void;
  /** Has nothing more done. */
  readonly end: () => void;
}

/** Unlike a delay that each call begins anew, it comes to the work however often it is called. */
export function throttled(ms: number, work: () => void): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    call: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        work();
      }, ms);
    },
    end: () => clearTimeout(timer),
  };
}

/** Work that is not begun before the last time of it has ended: all who ask for it meanwhile have it done once more, after that. */
export function oneAtATime(work: () => Promise<unknown>): () => Promise<unknown> {
  let now: Promise<unknown> | undefined;
  let next: Promise<unknown> | undefined;
  const begin = (): Promise<unknown> => {
    next = undefined;
    now = work().finally(() => {
      now = undefined;
    });
    return now;
  };
  return () => {
    if (now === undefined) return begin();
    next ??= now.then(begin, begin);
    return next;
  };
}
