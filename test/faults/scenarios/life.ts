import type { ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import { drain } from '../../../packages/controller/testing/sim/drain.ts';
import type { User } from '../../../packages/controller/testing/user.ts';
import { emptyCluster, place, userOf } from '../sim/prepare.ts';
import { startSimulation } from '../sim/simulation.ts';
import * as cast from './cast.ts';

/** What one part of a life costs, until all is at rest. */
export interface Woken {
  /** Events that a source has sent to the Broker. */
  readonly events: number;
  /** Events that the Broker has handed to a function that changes something; the event log, which never sleeps, has every event too. */
  readonly wakes: number;
}

/** Something that somebody does to the object, or to what belongs to it. */
interface Part {
  readonly name: string;
  readonly act: (user: User) => Promise<unknown>;
}

/** One object from its beginning to its end, in a cluster that has what it needs. */
export interface Life {
  readonly name: string;
  readonly parent: ObjectRef;
  readonly given: (user: User) => Promise<unknown>;
  readonly parts: readonly Part[];
}

const message = cast.helloRef(place);
const service = cast.webRef(place);

/** What a kubelet writes into a Pod's status that no function looks at. */
const unlooked = { status: { startTime: '2026-01-01T12:00:00Z' } };
const conditions = [
  { type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T12:00:00Z' },
  { type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' },
];
const notReady = { status: { conditions } };

export const lives: readonly Life[] = [
  {
    name: 'a Message',
    parent: message,
    given: async () => undefined,
    parts: [
      { name: 'from apply to rest', act: (user) => user.create(cast.hello(place)) },
      {
        name: 'its Pod says what no function looks at',
        act: (user) => user.patch(cast.refIn(place, 'Pod', 'msg-hello'), unlooked),
      },
      { name: 'its Pod is not ready', act: (user) => user.patch(cast.refIn(place, 'Pod', 'msg-hello'), notReady) },
      { name: 'its text changes', act: (user) => user.patch(message, { spec: { text: 'hello again' } }) },
      { name: 'it is deleted', act: (user) => user.delete(message) },
    ],
  },
  {
    name: 'a DistributedService',
    parent: service,
    given: async (user) => {
      await user.create(cast.profile(place));
      await user.create(cast.backend(place));
    },
    parts: [
      { name: 'from apply to rest', act: (user) => user.create(cast.web(place)) },
      {
        name: 'its backend says what no function looks at',
        act: (user) => user.patch(cast.refIn(place, 'Pod', 'web-1'), unlooked),
      },
      { name: 'its backend is not ready', act: (user) => user.patch(cast.refIn(place, 'Pod', 'web-1'), notReady) },
      {
        name: 'its port at the server changes',
        act: (user) => user.patch(service, { spec: { expose: { remotePort: 7002 } } }),
      },
      { name: 'it is deleted', act: (user) => user.delete(service) },
    ],
  },
];

/** Lives it, one part after the other, each until all is at rest, and without the resync; every event is delivered. */
export async function live({ parent, given, parts }: Life): Promise<ReadonlyMap<string, Woken>> {
  let events = 0;
  const simulation = startSimulation({
    from: await emptyCluster(),
    seed: 1,
    parents: [parent],
    coalesce: false,
    fate: (event) => {
      if (event.attributes['type']?.startsWith('dev.knative.apiserver.')) events += 1;
      return [event];
    },
  });
  const user = userOf(simulation);
  const wakes = (): number => simulation.trace([]).answers.filter(({ stem }) => stem !== 'event-recorded').length;
  try {
    await given(user);
    await drain(simulation);
    const all = new Map<string, Woken>();
    for (const { name, act } of parts) {
      const before = { events, wakes: wakes() };
      await act(user);
      await drain(simulation);
      all.set(name, { events: events - before.events, wakes: wakes() - before.wakes });
    }
    return all;
  } finally {
    simulation.close();
  }
}
