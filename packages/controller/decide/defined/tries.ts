import type { KubeObject } from '../../domain/kube-object.ts';
import { annotations } from '../../domain/names.ts';
import { isTime, secondsOf } from '../../domain/time.ts';
import { goodRun, laterOf, type Tries, triesOn } from '../back-off.ts';
import { isLeaving } from '../children.ts';
import type { Told } from './told.ts';

/**
 * How many objects were made in a row in the place of one that may not be changed, for what the owner says now; another generation
 * begins anew. The status keeps the number while there is no such object; the object keeps it as well, in case the status that
 * reports its making was refused.
 */
export function triesOf(owner: Told, desired: KubeObject, live: KubeObject | undefined): Tries {
  const { attempts = 0, lastAttempt, observedGeneration } = owner.status ?? {};
  const isNews = observedGeneration !== owner.metadata.generation;
  const told = isNews ? { made: 0 } : { made: attempts, ...(isTime(lastAttempt) && { last: lastAttempt }) };
  const isNext = live !== undefined && !isLeaving(live) && isMadeFrom(live, desired);
  return isNext ? laterOf(told, triesOn(live)) : told;
}

/** The same once it must be made again: what went before a good run is forgotten. */
export function triesAfter(tries: Tries, { status }: Told, now: string): Tries {
  // By the condition of before: the status does not report yet what is wrong now.
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True' || !isTime(ready.lastTransitionTime)) return tries;
  return secondsOf(now) - secondsOf(ready.lastTransitionTime) >= goodRun ? { made: 0 } : tries;
}

function isMadeFrom(live: KubeObject, desired: KubeObject): boolean {
  const [one, other] = [live, desired].map(({ metadata }) => metadata.annotations?.[annotations.specHash]);
  return one === other;
}
