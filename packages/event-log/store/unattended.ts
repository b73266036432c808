import type { Gap, Sign } from '../../controller/domain/event-log.ts';

/** The last sign of life in a store. */
export interface Life {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly isEnd: boolean;
}

/** Milliseconds for which Knative retries an event: an absence shorter than this loses none (eventing/event-log.yaml). */
export const bridged = 60_000;

/** Milliseconds. A Pod that ends gets no new events for this long: Knative drains it before it signals the process. */
const drain = 30_000;

/** The gap before a sign of life, if no process ran for long enough that events may be missing; their number is unknown. */
export function gapBefore(sign: Sign, known: Life | undefined): Gap | undefined {
  if (known === undefined || (known.isEnd && sign.sleeps)) return undefined;
  const reached = known.isEnd ? known.at - drain : known.at;
  const from = Math.max(reached, sign.since ?? reached);
  if (sign.at - from <= bridged) return undefined;
  const reason = 'no process of the event log ran, or it stood still';
  return { from: new Date(from).toISOString(), to: new Date(sign.at).toISOString(), reason };
}

/** What is kept after the sign. */
export function lifeAfter(sign: Sign, known: Life | undefined): Life {
  return { at: Math.max(sign.at, known?.at ?? 0), isEnd: sign.isLast };
}
