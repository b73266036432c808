import { asTry, type Tries, waitUntil } from '../../packages/controller/decide/back-off.ts';
import { deletion, isLeaving } from '../../packages/controller/decide/children.ts';
import { belongsTo, stamp } from '../../packages/controller/decide/owned.ts';
import { isReady, troubleOf } from '../../packages/controller/decide/pod-state.ts';
import type { Given as GivenToAll, Resource } from '../../packages/controller/decide/resource.ts';
import { describe, type KubeObject, refOf } from '../../packages/controller/domain/kube-object.ts';
import { messagePodName } from '../../packages/controller/domain/names.ts';
import type { Notice, Observed, Plan, Write } from '../../packages/controller/domain/plan.ts';
import { desiredPod } from './pod.ts';
import { type Fault, faultOf } from './pod-fault.ts';
import { decideStatus, type PodFinding } from './status.ts';
import { podTries, triesAfter } from './tries.ts';
import type { Message } from './types.ts';

/** A Message: one Pod that prints its text, and a status that says so. */
export function message(image: string): Resource {
  return {
    apiVersion: 'myorg.dev/v1',
    kind: 'Message',
    children: ({ namespace, name }) =>
      new Map([['pod', { apiVersion: 'v1', kind: 'Pod', namespace, name: messagePodName(name) }]]),
    inputs: () => [],
    cost: () => ({ reads: 0, writes: 0 }),
    decide: (observed, given) => plan({ ...observed, owner: observed.owner as Message }, { ...given, image }),
  };
}

/** What a decision about a Message takes from outside. */
interface Given extends GivenToAll {
  readonly image: string;
}

interface PodWork {
  readonly finding: PodFinding;
  readonly tries: Tries;
  readonly writes: readonly Write[];
  readonly notices: readonly Notice[];
}

const nothing: Plan = { writes: [], notices: [], again: false };

function plan({ owner, children }: Observed<Message>, given: Given): Plan {
  // A Message has nothing outside the cluster: once it is being deleted the garbage collector does the rest.
  if (isLeaving(owner)) return nothing;
  const desired = stamp(desiredPod(owner, given.image), owner, given.hash);
  const live = children.get('pod');
  const work = planPod(owner, { desired, live, given });
  const { status, changed, notices } = decideStatus(owner, work, given.now);
  // Also unchanged, after a write: that it is taken proves that the owner was still the one that was read (R3).
  const told: readonly Write[] = changed || work.writes.length > 0 ? [{ do: 'status', status }] : [];
  return { writes: [...work.writes, ...told], notices: [...work.notices, ...notices], again: false };
}

interface Pods {
  readonly desired: KubeObject;
  readonly live: KubeObject | undefined;
  readonly given: Given;
}

/** A Pod cannot be changed: one that says something else, or says nothing any more, is replaced. */
function planPod(owner: Message, pods: Pods): PodWork {
  const { desired, live, given } = pods;
  const tries = podTries(owner, desired, live);
  if (given.refusal !== undefined) return { ...quiet({ is: 'refused', refusal: given.refusal }), tries };
  if (given.held !== undefined) return { ...quiet({ is: 'held', message: given.held.message }), tries };
  if (live !== undefined) {
    const name = describe(refOf(live));
    const belonging = belongsTo(live, owner);
    if (belonging === 'foreign') return { ...quiet({ is: 'foreign', name }), tries };
    if (belonging === 'outgoing' || isLeaving(live)) return { ...quiet({ is: 'leaving', name }), tries };
  }
  const fault = faultOf(desired, live);
  if (fault === undefined) return { ...quiet(stateOf(live)), tries };
  return again(pods, fault, triesAfter(tries, owner, given.now));
}

function stateOf(live: KubeObject | undefined): PodFinding {
  if (live !== undefined && isReady(live)) return { is: 'ready' };
  const trouble = live && troubleOf(live);
  return trouble === undefined ? { is: 'starting' } : { is: 'blocked', trouble };
}

/** The next Pod: first the one before it must go, and after some in a row there is a pause. */
function again({ desired, live, given }: Pods, fault: Fault, tries: Tries): PodWork {
  const until = waitUntil(tries, given);
  if (until !== undefined) return { ...quiet({ is: 'waiting', fault, made: tries.made, until }), tries };
  const name = describe(refOf(desired));
  if (live !== undefined) {
    const notices: Notice[] = [{ type: 'Normal', reason: 'PodReplaced', note: `Replaced ${name}: ${fault.why}` }];
    // Without a time the next one follows at once.
    const writes = [deletion(live, 'Background')];
    return { finding: { is: 'leaving', name }, tries: { made: tries.made }, writes, notices };
  }
  const { now } = given;
  const made = tries.made + 1;
  return {
    finding: { is: 'starting' },
    tries: { made, last: now },
    writes: [{ do: 'create', object: asTry(desired, made, now) }],
    notices: [],
  };
}

function quiet(finding: PodFinding): Omit<PodWork, 'tries'> {
  return { finding, writes: [], notices: [] };
}
