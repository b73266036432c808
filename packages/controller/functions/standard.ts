import type { Resource } from '../decide/resource.ts';
import { restarted, resyncTypes } from '../domain/change.ts';
import type { EventHandler } from '../domain/ports.ts';
import { orphanKinds } from '../resync/orphans.ts';
import { changeRowOf, rowKind, wakingOf } from './change-rows.ts';
import { childKindsOf } from './child-kinds.ts';
import { deadLettered } from './dead-lettered.ts';
import { eventRecorded } from './event-recorded.ts';
import { kebabOf } from './kebab.ts';
import type { Deployed, Woken } from './manifested.ts';
import { resync } from './resync-due.ts';
import type { EventRow, FunctionRow } from './rows.ts';

/**
 * The functions that a controller of these resources has if it defines no other ones: one for each kind of resources and of children, the
 * resync, and the event log.
 */
export function standardFunctions(
  resources: readonly Resource[],
  controller: string,
): Readonly<Record<string, FunctionRow>> {
  const parentKinds = resources.map(({ apiVersion, kind }) => ({ apiVersion, kind }));
  const looked = orphanKinds(childKindsOf(resources), controller);
  return {
    ...Object.fromEntries(wakingOf(resources).map((one) => [one.stem, changeRowOf(one)])),
    'resync-due': resyncRow((received, context) => resync(received, context, { parentKinds, looked })),
    ...logRows,
  };
}

/**
 * The Knative Services of a controller that names none: the functions of one resource share one, and so do those of the event log. A
 * function that changes wake and that follows from no resource is served with those of the first one.
 */
export function standardServices(
  resources: readonly Resource[],
  functions: Readonly<Record<string, FunctionRow>> = {},
): Readonly<Record<string, readonly string[]>> {
  const waking = wakingOf(resources);
  const standard = waking.map(({ stem }) => stem);
  const more = Object.keys(functions).filter((stem) => functions[stem]?.wakes === 'change' && !standard.includes(stem));
  const shared = resources.flatMap((one, index): readonly (readonly [string, readonly string[]])[] => {
    const itself = waking.filter(({ kind }) => kind === rowKind(one));
    const own = waking.filter(({ isResource, parents: [first] }) => !isResource && first === one);
    const others = [...own.map(({ stem }) => stem), ...(index === 0 ? more : [])];
    return others.length === 0 ? [] : [[kebabOf(one.kind), [...itself.map(({ stem }) => stem), ...others]]];
  });
  return { ...Object.fromEntries(shared), 'event-log': Object.keys(logRows) };
}

/** The row of the function that the PingSource wakes. */
export function resyncRow(handle: EventHandler) {
  const types = [...Object.values(resyncTypes), restarted.type];
  return { wakes: 'event', handle, types, uses: ['cluster', 'broker'] } as const satisfies EventRow;
}

/** The rows of the event log. */
export const logRows = {
  'event-recorded': { wakes: 'event', handle: eventRecorded, types: 'every', uses: ['log'] },
  'dead-lettered': { wakes: 'event', handle: deadLettered, types: 'every', uses: ['log'] },
} as const satisfies Readonly<Record<string, EventRow>>;

/** Triggers beside those that have the name of their function: this one has other tries, by which a minute passes. */
export const standardTriggers = { 'source-restarted': 'resync-due' } as const;

/** What the manifest of the resync says. */
export const standardDeployed: Readonly<Record<string, Deployed>> = {
  'resync-due': {
    sends: 'Where the events go: the ingress of the Broker in eventing/broker.yaml.',
    env: [
      {
        says: 'Longer than that of the others, as the time-out of its Trigger is: a round sends many events.',
        name: 'HANDLER_DEADLINE_SECONDS',
        value: "'23'",
      },
    ],
  },
};

/** What the Triggers of the resync say, in this namespace. */
export const standardWoken = (home: string): Readonly<Record<string, Woken>> => ({
  'resync-due': {
    filters: `- any:
    # The tick of eventing/sources/resync-due.yaml.
    - all:
        - exact:
            type: dev.knative.sources.ping
        - exact:
            source: /apis/v1/namespaces/${home}/pingsources/resync-due
    # Its own continuation, and the installation.
    - exact:
        type: dev.knudge.resync.due`,
    tries: {
      says: [
        'Few and long: an answer that continues the round goes back into the Broker as one request, within this time-out too.',
      ],
      retry: 1,
      delay: 'PT0.4S',
      timeout: 'PT28S',
    },
  },
  'source-restarted': {
    filters: `- exact:
    knudgeabout: source-adapter
# A Pod becomes ready by an update.
- exact:
    type: dev.knative.apiserver.resource.update`,
    tries: {
      says: [
        'Many and slow, as no others: resync-due answers 503 until a minute has passed since the last resync of this sort, and these tries are',
        'its clock, 77.5 s in all. Nothing waits behind them but the next event of the same source, which nothing else reports.',
      ],
      retry: 5,
      delay: 'PT2.5S',
      timeout: 'PT28S',
    },
  },
});
