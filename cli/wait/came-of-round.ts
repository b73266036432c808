import { setTimeout as sleep } from 'node:timers/promises';
import { requestedType, resyncSource } from '../../packages/controller/domain/change.ts';
import type { Delivery } from '../../packages/controller/domain/delivery.ts';
import { isTriedAgain, type ReportingLog } from './reporting-log.ts';

/** How many objects a round of the resync asked after, and what their functions report. */
export interface RoundOutcome {
  readonly asked: number;
  /** The function wrote something. */
  readonly repaired: number;
  readonly failed: number;
  /** No function has reported the end of the event. */
  readonly open: number;
}

/** Places in a log: of its newest event and of its newest delivery. */
export interface Places {
  readonly event: number;
  readonly delivery: number;
}

interface Looking {
  readonly log: ReportingLog;
  /** Those before the round. */
  readonly after: Places;
  /** Until when the log is looked at, on the clock of `performance`. */
  readonly until: number;
}

/** Milliseconds between two looks: the log gets events and reports some time after a function has them. */
const pauseMs = 500;

const page = 500;

export async function placesNow(log: ReportingLog): Promise<Places> {
  const newest = { order: 'newest-first', limit: 1 } as const;
  const [[event], [delivery]] = await Promise.all([log.events({}, newest), log.deliveries({}, newest)]);
  return { event: event?.seq ?? 0, delivery: delivery?.seq ?? 0 };
}

/** What came of a round, once two looks find the same and no event is open; else as far as it is known when the time is over. */
export async function cameOf(round: string, { log, after, until }: Looking): Promise<RoundOutcome> {
  for (let before = -1; ; ) {
    const outcome = await lookAt(round, log, after);
    if (outcome.open === 0 && outcome.asked === before) return outcome;
    if (performance.now() > until) return outcome;
    before = outcome.asked;
    await sleep(pauseMs);
  }
}

async function lookAt(round: string, log: ReportingLog, after: Places): Promise<RoundOutcome> {
  const isOfRound = ({ id, source }: { readonly id: string; readonly source: string }): boolean =>
    source === resyncSource && id.startsWith(`${round}/`);
  const events = await allAfter(after.event, (place) =>
    log.events({ type: requestedType, after: place }, { order: 'oldest-first', limit: page }),
  );
  const asked = new Set(events.filter(isOfRound).map(({ id }) => id));
  const ends = new Map<string, Delivery>();
  const deliveries = await allAfter(after.delivery, (place) =>
    log.deliveries({ after: place }, { order: 'oldest-first', limit: page }),
  );
  for (const one of deliveries) if (isOfRound(one.event) && !isTriedAgain(one.status)) ends.set(one.event.id, one);
  const known = [...ends].filter(([id]) => asked.has(id)).map(([, end]) => end);
  return {
    asked: asked.size,
    repaired: known.filter(({ status, writes }) => status <= 299 && writes > 0).length,
    failed: known.filter(({ status }) => status > 299).length,
    open: asked.size - known.length,
  };
}

async function allAfter<One extends { readonly seq: number }>(
  place: number,
  read: (after: number) => Promise<readonly One[]>,
): Promise<readonly One[]> {
  const all: One[] = [];
  for (;;) {
    const some = await read(all.at(-1)?.seq ?? place);
    all.push(...some);
    if (some.length < page) return all;
  }
}
