/** A clock that follows the API server's. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Takes the `Date` header of an answer. */
  readonly hear: (date: string | undefined) => void;
}

/** A Date has whole seconds, and an answer may travel for as long as a call may take: this much is not a difference of clocks. */
const toleratedMs = 6000;

/**
 * The API server's clock, from the `Date` of its answers (RFC 9110, 6.6.1; kube-apiserver sends it with each); this machine's
 * clock until the first answer, and if the two agree. So all instances judge times by one clock, even if their own are wrong.
 */
export function createClock(now: () => number): Clock {
  let aheadMs = 0;
  return {
    now: () => now() + aheadMs,
    hear: (date) => {
      const told = /^[A-Z][a-z]{2}, /.test(date ?? '') ? Date.parse(date ?? '') - now() : Number.NaN;
      if (!Number.isNaN(told)) aheadMs = Math.abs(told) <= toleratedMs ? 0 : told;
    },
  };
}
