import { describe, type KubeObject, refOf } from '../../domain/kube-object.ts';
import type { Message } from '../../domain/message.ts';
import { messagePodName } from '../../domain/names.ts';
import type { Notice, Observed, Plan, Write } from '../../domain/plan.ts';
import { deletion, isLeaving } from '../children.ts';
import { differs } from '../differs.ts';
import { belongsTo, stamp } from '../owned.ts';
import { hasEnded, isReady } from '../pod-state.ts';
import type { Given, Resource } from '../resource.ts';
import { desiredPod } from './pod.ts';
import { decideStatus, type PodFinding } from './status.ts';

/** A Message: one Pod that prints its text, and a status that says so. */
export const message: Resource = {
  apiVersion: 'myorg.dev/v1',
  kind: 'Message',
  children: ({ namespace, name }) =>
    new Map([['pod', { apiVersion: 'v1', kind: 'Pod', namespace, name: messagePodName(name) }]]),
  inputs: () => [],
  decide: (observed, given) => plan({ ...observed, owner: observed.owner as Message }, given),
};

interface PodWork {
  readonly finding: PodFinding;
  readonly writes: readonly Write[];
  readonly notices: readonly Notice[];
}

const nothing: Plan = { writes: [], notices: [], again: false };

function plan({ owner, children }: Observed<Message>, given: Given): Plan {
  // A Message has nothing outside the cluster: once it is being deleted the garbage collector does the rest.
  if (isLeaving(owner)) return nothing;
  const desired = stamp(desiredPod(owner, given.images.message), owner, given.hash);
  const work: PodWork =
    given.refusal === undefined
      ? planPod(owner, desired, children.get('pod'))
      : { finding: { is: 'refused', refusal: given.refusal }, writes: [], notices: [] };
  const { status, changed, notices } = decideStatus(owner, work.finding, given.now);
  // Also unchanged, after a write: that it is taken proves that the owner was still the one that was read (R3).
  const told: readonly Write[] = changed || work.writes.length > 0 ? [{ do: 'status', status }] : [];
  return { writes: [...work.writes, ...told], notices: [...work.notices, ...notices], again: false };
}

/** A Pod cannot be changed: one that says something else, or says nothing any more, is replaced. */
function planPod(owner: Message, desired: KubeObject, live: KubeObject | undefined): PodWork {
  const name = describe(refOf(desired));
  if (live === undefined) {
    const notices: Notice[] = [{ type: 'Normal', reason: 'PodCreated', note: `Created ${name}` }];
    return { finding: { is: 'starting' }, writes: [{ do: 'create', object: desired }], notices };
  }
  const belonging = belongsTo(live, owner);
  if (belonging === 'foreign') return { finding: { is: 'foreign', name }, writes: [], notices: [] };
  if (belonging === 'outgoing' || isLeaving(live)) return { finding: { is: 'leaving', name }, writes: [], notices: [] };
  if (hasEnded(live) || differs(desired, live)) {
    const why = hasEnded(live) ? 'it had ended' : 'it no longer said what the Message says';
    const notices: Notice[] = [{ type: 'Normal', reason: 'PodReplaced', note: `Replaced ${name}: ${why}` }];
    return { finding: { is: 'leaving', name }, writes: [deletion(live, 'Background')], notices };
  }
  return { finding: { is: isReady(live) ? 'ready' : 'starting' }, writes: [], notices: [] };
}
