import { isTime, secondsOf, timeOf } from '../domain/time.ts';
import type { Given } from './resource.ts';

/** How often one object was written of late without a reason. */
export interface RecentWrite {
  readonly object: string;
  readonly count: number;
  /** When the minute began in which they are counted; of one that is held back, when it was written last (RFC 3339). */
  readonly since: string;
  /** What it was made from, as a hash. */
  readonly inputs: string;
}

/** More writes than this in a minute are a loop. */
const most = { writes: 12, seconds: 60 } as const;

/** Seconds that a loop waits for its next try, doubled each time; and after which a quiet one is forgotten. */
const pause = { first: 60, longest: 300, forgotten: 600 } as const;

/** A clock that was put back by more is not waited for. */
const clockMayDiffer = 60;

/** More objects than one parent can have. */
const mostObjects = 16;

interface Counting {
  readonly object: string;
  readonly entry: RecentWrite | undefined;
  readonly inputs: string;
  readonly isRepair: boolean;
}

/** Counts one more write; `until` is there where it must not be made now. */
export function countWrite(
  { object, entry, inputs, isRepair }: Counting,
  { now, byResync }: Pick<Given, 'now' | 'byResync'>,
): { readonly entry: RecentWrite; readonly until?: string } {
  const first: RecentWrite = { object, count: 1, since: now, inputs };
  if (entry === undefined || (entry.inputs !== inputs && !isRepair)) return { entry: first };
  const elapsed = secondsOf(now) - secondsOf(entry.since);
  const isLoop = entry.count >= most.writes;
  if (elapsed < -clockMayDiffer || elapsed >= (isLoop ? pause.forgotten : most.seconds)) return { entry: first };
  const count = entry.count + 1;
  if (!isLoop) return { entry: { object, count, since: count >= most.writes ? now : entry.since, inputs } };
  const wait = Math.min(pause.first * 2 ** Math.min(entry.count - most.writes, 8), pause.longest);
  // The resync does not wait: what goes back and forth may have come to rest, and often no event reports that.
  if (byResync === true || elapsed >= wait) return { entry: { object, count, since: now, inputs } };
  return { entry, until: timeOf(secondsOf(entry.since) + wait) };
}

/** Those that still say something. */
export function recent(entries: readonly RecentWrite[], now: string): readonly RecentWrite[] {
  const isRecent = ({ count, since }: RecentWrite): boolean =>
    secondsOf(now) - secondsOf(since) < (count >= most.writes ? pause.forgotten : most.seconds);
  return entries
    .filter(isRecent)
    .slice(-mostObjects)
    .toSorted((one, other) => (one.object < other.object ? -1 : 1));
}

/** As they stand in a status, which anybody may have written. */
export function readCounts(value: unknown): readonly RecentWrite[] {
  return Array.isArray(value) ? value.filter(isCount) : [];
}

function isCount(value: unknown): value is RecentWrite {
  const { object, count, since, inputs }: Partial<Record<keyof RecentWrite, unknown>> = Object(value);
  return typeof object === 'string' && Number.isSafeInteger(count) && isTime(since) && typeof inputs === 'string';
}
