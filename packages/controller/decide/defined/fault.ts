import { describe, type KubeObject, refOf } from '../../domain/kube-object.ts';
import { annotations } from '../../domain/names.ts';
import { differenceOf, tellOverride } from '../difference.ts';
import { differs } from '../differs.ts';
import { hasEnded } from '../pod-state.ts';

/** Why another object must be made in the place of one that may not be changed. */
export interface Fault {
  readonly reason: string;
  /** For the Event about its replacement. */
  readonly why: string;
  /** What was seen of it, for the condition while the next one has to wait. */
  readonly seen: string;
}

/** What is wrong with an object that `owner` wants; undefined where it is the one that was asked for. */
export function faultOf(desired: KubeObject, live: KubeObject | undefined, owner: KubeObject): Fault | undefined {
  const name = describe(refOf(desired));
  const { kind } = desired;
  if (live === undefined) return { reason: `${kind}Gone`, why: 'it was gone', seen: `${name} was deleted` };
  if (kind === 'Pod' && hasEnded(live))
    return { reason: 'PodEnded', why: 'it had ended', seen: `${name} has ended${endingOf(live)}` };
  if (!differs(desired, live)) return undefined;
  const why = `it no longer said what the ${owner.kind} says`;
  const [wanted, there] = [desired, live].map(({ metadata }) => metadata.annotations?.[annotations.specHash]);
  const difference = differenceOf(desired, live);
  const seen = `${name} is not what was asked for${difference ? `: ${tellOverride(difference)}` : ''}`;
  return { reason: wanted === there ? 'Overridden' : `${kind}Outdated`, why, seen };
}

interface Ended extends KubeObject {
  readonly status?: { readonly reason?: string; readonly message?: string };
}

/** In the words of the kubelet, or of the program that evicted the Pod. */
function endingOf({ status: { reason = '', message = '' } = {} }: Ended): string {
  const words = [reason, message].filter((word) => word !== '');
  return words.length === 0 ? '' : `: ${words.join(': ')}`;
}
