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
