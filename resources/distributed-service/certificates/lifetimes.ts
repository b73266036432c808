/** How long certificates live, in seconds. */
export interface Lifetimes {
  readonly authority: number;
  readonly leaf: number;
  /** For this time after its successor was made an authority still signs alone, so that FRP servers learn of the other. */
  readonly overlap: number;
  /** A life begins so much before it is given, so that a clock that is slow elsewhere does not refuse it. */
  readonly skew: number;
}

const day = 86_400;

/**
 * A leaf lives a week, because frps knows no revocation list: what was stolen is worth nothing soon after. A person may
 * have to carry the bundle to a server, and to restart it: for that a month is long enough.
 */
export const lifetimes: Lifetimes = { authority: 3650 * day, leaf: 7 * day, overlap: 30 * day, skew: 600 };
