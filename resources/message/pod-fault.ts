import { differenceOf, tellOverride } from '../../packages/controller/decide/difference.ts';
import { differs } from '../../packages/controller/decide/differs.ts';
import { hasEnded } from '../../packages/controller/decide/pod-state.ts';
import { describe, type KubeObject, refOf } from '../../packages/controller/domain/kube-object.ts';
import { annotations } from '../../packages/controller/domain/names.ts';

/** Why another Pod must be made. */
export interface Fault {
  readonly reason: 'PodGone' | 'PodEnded' | 'Overridden' | 'PodOutdated';
  /** For the Event about its replacement. */
  readonly why: string;
  /** What was seen of the Pod, for the condition while the next one has to wait. */
  readonly seen: string;
}

/** What is wrong with the Pod; undefined where it is the one that was asked for. */
export function faultOf(desired: KubeObject, live: KubeObject | undefined): Fault | undefined {
  const name = describe(refOf(desired));
  if (live === undefined) return { reason: 'PodGone', why: 'it was gone', seen: `${name} was deleted` };
  if (hasEnded(live)) return { reason: 'PodEnded', why: 'it had ended', seen: `${name} has ended${endingOf(live)}` };
  if (!differs(desired, live)) return undefined;
  const why = 'it no longer said what the Message says';
  const [wanted, there] = [desired, live].map(({ metadata }) => metadata.annotations?.[annotations.specHash]);
  const difference = differenceOf(desired, live);
  const seen = `${name} is not what was asked for${difference ? `: ${tellOverride(difference)}` : ''}`;
  return { reason: wanted === there ? 'Overridden' : 'PodOutdated', why, seen };
}

interface Ended extends KubeObject {
  readonly status?: { readonly reason?: string; readonly message?: string };
}

/** As the kubelet, or who evicted it, tells it. */
function endingOf({ status: { reason = '', message = '' } = {} }: Ended): string {
  const words = [reason, message].filter((word) => word !== '');
  return words.length === 0 ? '' : `: ${words.join(': ')}`;
}
