/** A clock that follows the API server's. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Takes the `Date` of an answer. */
  readonly hear: (date: string | undefined) => void;
}

/** A Date has whole seconds, and an answer is on its way for up to a call's time: so much is no difference of clocks. */
const toleratedMs = 6000;

/**
 * The API server's clock, as the `Date` of its answers tells it (RFC 9110, 6.6.1; kube-apiserver sends it with each); one's
 * own until it has told, and wherever the two agree. All instances so judge times by one clock, however wrong their own.
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
