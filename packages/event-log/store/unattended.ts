import type { Gap, Sign } from '../../controller/domain/event-log.ts';

/** The last sign of life in a store. */
export interface Life {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly isEnd: boolean;
}

/** Milliseconds for which whoever brings an event tries again: what nobody took in a shorter time was brought again (eventing/event-log.yaml). */
export const bridged = 60_000;

/** Milliseconds. A Pod that ends has got nothing new for so long: Knative drains it before it tells the process. */
const drain = 30_000;

/** The gap before a sign of life, if nobody was there for so long that events may be missing: how many nobody knows. */
export function gapBefore(sign: Sign, known: Life | undefined): Gap | undefined {
  if (known === undefined || (known.isEnd && sign.sleeps)) return undefined;
  const reached = known.isEnd ? known.at - drain : known.at;
  const from = Math.max(reached, sign.since ?? reached);
  if (sign.at - from <= bridged) return undefined;
  const reason = 'no process of the event log ran, or it stood still';
  return { from: new Date(from).toISOString(), to: new Date(sign.at).toISOString(), reason };
}

/** What is known after it. */
export function lifeAfter(sign: Sign, known: Life | undefined): Life {
  return { at: Math.max(sign.at, known?.at ?? 0), isEnd: sign.isLast };
}
