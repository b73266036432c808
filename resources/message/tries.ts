import { goodRun, laterOf, type Tries, triesOn } from '../../packages/controller/decide/back-off.ts';
import { isLeaving } from '../../packages/controller/decide/children.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { annotations } from '../../packages/controller/domain/names.ts';
import { isTime, secondsOf } from '../../packages/controller/domain/time.ts';
import type { Message } from './types.ts';

/**
 * How many Pods were made in a row for what the Message says now; another text begins anew. The status keeps it while there is no
 * Pod; a Pod keeps it where its making has not been told yet, for a status that was refused tells nothing.
 */
export function podTries(owner: Message, desired: KubeObject, live: KubeObject | undefined): Tries {
  const { attempts = 0, lastAttempt, observedGeneration } = owner.status ?? {};
  const isNews = observedGeneration !== owner.metadata.generation;
  const told = isNews ? { made: 0 } : { made: attempts, ...(isTime(lastAttempt) && { last: lastAttempt }) };
  const isNext = live !== undefined && !isLeaving(live) && isMadeFrom(live, desired);
  return isNext ? laterOf(told, triesOn(live)) : told;
}

/** The same once the Pod must be made again: what went before a good run is forgotten. */
export function triesAfter(tries: Tries, { status }: Message, now: string): Tries {
  // As it was told before: whatever is wrong now is not told yet.
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True' || !isTime(ready.lastTransitionTime)) return tries;
  return secondsOf(now) - secondsOf(ready.lastTransitionTime) >= goodRun ? { made: 0 } : tries;
}

function isMadeFrom(live: KubeObject, desired: KubeObject): boolean {
  const [one, other] = [live, desired].map(({ metadata }) => metadata.annotations?.[annotations.specHash]);
  return one === other;
}
