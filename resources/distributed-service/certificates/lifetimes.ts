/** How long certificates live, in seconds. */
export interface Lifetimes {
  readonly authority: number;
  readonly leaf: number;
  /** After its successor is made an authority still signs for this time, so that people can bring the successor to the FRP servers. */
  readonly overlap: number;
  /** `notBefore` lies this many seconds in the past, so that a peer with a slow clock accepts the certificate. */
  readonly skew: number;
}

const day = 86_400;

/**
 * A leaf lives a week, because frps reads no revocation list: so a stolen leaf is useless soon. The overlap is a month, because a person
 * may have to carry the bundle to an FRP server and restart it.
 */
export const lifetimes: Lifetimes = { authority: 3650 * day, leaf: 7 * day, overlap: 30 * day, skew: 600 };
