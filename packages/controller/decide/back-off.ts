import type { KubeObject } from '../domain/kube-object.ts';
import { annotations } from '../domain/names.ts';
import { isTime, secondsOf, timeOf } from '../domain/time.ts';
import type { Given } from './resource.ts';

/** Tries in a row that came to nothing, and when the last of them was made (RFC 3339). */
export interface Tries {
  readonly made: number;
  readonly last?: string;
}

/**
 * Seconds. Two tries at once, so that what happens now and then is mended now; then 25 s, doubled each time up to five minutes, as a
 * kubelet does. With a resync's that is six in the first five minutes.
 */
const waits = { atOnce: 2, first: 25, longest: 300 } as const;

/** Seconds that a good run must last for what came before it to be forgotten, as a kubelet has it. */
export const goodRun = 600;

/** A clock that was put back by more is not waited for. */
const clockMayDiffer = 60;

/**
 * When the next try may be made; undefined: now. The resync does not wait: the cause of the failures may be gone, and often no
 * event reports that.
 */
export function waitUntil(
  { made, last }: Tries,
  { now, byResync }: Pick<Given, 'now' | 'byResync'>,
): string | undefined {
  if (byResync === true) return undefined;
  if (made < waits.atOnce || last === undefined) return undefined;
  const due = secondsOf(last) + Math.min(waits.first * 2 ** Math.min(made - waits.atOnce, 8), waits.longest);
  const isBefore = secondsOf(now) < due;
  return isBefore && secondsOf(now) >= secondsOf(last) - clockMayDiffer ? timeOf(due) : undefined;
}

/** The object as it is written at the next try: which try it is stands on it, so that no two writers count the same. */
export function asTry<Child extends KubeObject>(object: Child, made: number, now: string): Child {
  const { metadata } = object;
  const told = { ...metadata.annotations, [annotations.tries]: `${String(made)} ${now}` };
  return { ...object, metadata: { ...metadata, annotations: told } };
}

/** Which try a live object is, as `asTry` has written it. */
export function triesOn({ metadata }: KubeObject): Tries {
  const [made = '', last = ''] = (metadata.annotations?.[annotations.tries] ?? '').split(' ');
  return /^\d{1,6}$/.test(made) && isTime(last) ? { made: Number(made), last } : { made: 0 };
}

/** The one that knows of more. */
export function laterOf(one: Tries, other: Tries): Tries {
  const [a, b] = [one.last ?? '', other.last ?? ''];
  return a > b || (a === b && one.made >= other.made) ? one : other;
}
