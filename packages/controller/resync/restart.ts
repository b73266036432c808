import { isAlive, type ResyncMarks } from '../domain/rounds.ts';

/** A source has begun to watch anew. */
export interface Restart {
  /** When its adapter became ready, in milliseconds since 1970. */
  readonly ready: number;
  /** The event that reports it. */
  readonly by: string;
}

export type Step =
  /** A resync has seen all that this restart can have lost. */
  { readonly do: 'nothing' } | { readonly do: 'wait'; readonly ms: number } | { readonly do: 'begin' };

/**
 * Knative's adapter (0.50) answers its readiness probe before it watches: the same moment starts the probe's server and the
 * questions which kinds there are, then one list for each entry, in the background. And the adapter before it is told to go
 * because the new one is ready, about a second later, and takes with it what it had not sent. So what begins to read this long
 * after the new one is ready reads all that either has missed.
 */
export const settleMs = 6_000;

/** Both sources start anew together, and who is ready within this time after the other has the same resync. */
export const gatherMs = 4_000;

/** How often it is looked whether the round that is under way is through. */
const pollMs = 2_000;

/** A resync costs a reconcile for each parent: no more than one in this time, however often sources start anew. */
export const apartMs = 60_000;

/**
 * What to do about a restart, from what is true now. It asks for a resync that began late enough after it, so the last of many
 * always gets one. `now` is of the API server, and what the marks say of later than that says nothing.
 */
export function stepFor({ ready, by }: Restart, marks: ResyncMarks, now: number): Step {
  const isPast = (time: number | undefined): time is number => time !== undefined && time <= now;
  const { whole, restart, round } = marks;
  if (isPast(whole) && whole >= ready + settleMs) return nothing;
  // Its own that is not through: its process died, and the event came again.
  const other = restart !== undefined && restart.by !== by && isPast(restart.began) ? restart.began : undefined;
  if (other !== undefined && other >= ready + settleMs) return nothing;
  // A kubelet whose clock is ahead: nobody can tell how long ago it was, so it was just now and nothing is gathered.
  const settled = ready > now ? now : ready + settleMs + gatherMs;
  const ms = Math.max(settled, other === undefined ? 0 : other + apartMs) - now;
  if (ms > 0) return { do: 'wait', ms };
  if (round === undefined || !isAlive(round, now)) return { do: 'begin' };
  if (round.id === by) return { do: 'begin' };
  // One at a time: what is under way may have begun too early to see all.
  return round.began >= ready + settleMs ? nothing : { do: 'wait', ms: pollMs };
}

const nothing: Step = { do: 'nothing' };

interface PodLike {
  readonly metadata?: { readonly deletionTimestamp?: unknown };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type?: unknown;
      readonly status?: unknown;
      readonly lastTransitionTime?: unknown;
    }[];
  };
}

/** Since when the Pod in an event's data is ready; undefined for one that is not, that goes, and for what is no Pod. */
export function readySince(data: unknown): number | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { metadata, status }: PodLike = data;
  if (metadata?.deletionTimestamp !== undefined || !Array.isArray(status?.conditions)) return undefined;
  const ready = status.conditions.find((condition) => condition?.type === 'Ready' && condition.status === 'True');
  const since = Date.parse(String(ready?.lastTransitionTime));
  return Number.isNaN(since) ? undefined : since;
}
