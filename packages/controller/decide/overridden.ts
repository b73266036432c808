import { describe, type KubeObject, refOf } from '../domain/kube-object.ts';
import { annotations } from '../domain/names.ts';
import type { Write } from '../domain/plan.ts';
import { secondsOf } from '../domain/time.ts';
import { asTry, goodRun, type Tries, triesOn, waitUntil } from './back-off.ts';
import { differenceOf, tellOverride } from './difference.ts';
import type { Given } from './resource.ts';

/** Writes of which some have to wait. */
export interface Paced {
  readonly writes: readonly Write[];
  /** What the API server stores otherwise than it was sent, and since when nobody tries at once any more; for people. */
  readonly overridden?: string;
}

/** The first difference may be anybody's doing, such as of a person who takes a field away: only the second is reported. */
const untold = 2;

/**
 * What was sent before and stored otherwise is sent again with pauses: an admission webhook would change it every time, and each
 * time the change would be an event. Which try it is stands on the object, as its last writer has written it.
 */
export function paceApplies(writes: readonly Write[], given: Pick<Given, 'now' | 'byResync'>): Paced {
  const { now } = given;
  const told: string[] = [];
  const paced = writes.flatMap((write): readonly Write[] => {
    const what = write.do === 'apply' ? overrideOf(write.object, write.live) : undefined;
    if (write.do !== 'apply' || what === undefined) return [write];
    const before = triesBefore(write.live, now);
    const until = waitUntil(before, given);
    const tries = until === undefined ? { made: before.made + 1, last: now } : before;
    if (until !== undefined || tries.made > untold) told.push(sentence(what, tries, now));
    return until === undefined ? [{ ...write, object: asTry(write.object, tries.made, now) }] : [];
  });
  return { writes: paced, ...(told.length > 0 && { overridden: told.join('; ') }) };
}

/** How the live object differs from what it was made from, where nobody else has changed it since. */
function overrideOf(object: KubeObject, live: KubeObject): string | undefined {
  const [wanted, there] = [object, live].map(({ metadata }) => metadata.annotations?.[annotations.specHash]);
  if (there === undefined || wanted !== there) return undefined;
  const difference = differenceOf(object, live);
  if (difference === undefined || difference.managers.length > 0) return undefined;
  return `${describe(refOf(live))} is not what was asked for: ${tellOverride(difference)}`;
}

/** It was sent once at least; what was right for ten minutes begins anew. */
function triesBefore(live: KubeObject, now: string): Tries {
  const { made, last } = triesOn(live);
  const isLongAgo = last !== undefined && secondsOf(now) - secondsOf(last) >= goodRun;
  return last === undefined || isLongAgo ? { made: 1 } : { made, last };
}

function sentence(what: string, tries: Tries, now: string): string {
  const until = waitUntil(tries, { now }) ?? now;
  return `${what}. It was sent ${String(tries.made)} times in a row; the next time is not before ${until}, and then with the next event or resync`;
}
