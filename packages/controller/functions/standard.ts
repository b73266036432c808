import type { Resource } from '../decide/resource.ts';
import { restarted, resyncTypes } from '../domain/change.ts';
import { groupOf, type ObjectRef } from '../domain/kube-object.ts';
import { labels } from '../domain/names.ts';
import type { EventHandler, Handler } from '../domain/ports.ts';
import { ownerOf } from '../parents/owner.ts';
import { subjectOf } from '../parents/subject.ts';
import { orphanKinds } from '../resync/orphans.ts';
import { type Child, childKindsOf } from './child-kinds.ts';
import { deadLettered } from './dead-lettered.ts';
import { eventRecorded } from './event-recorded.ts';
import { itselfChanged } from './itself-changed.ts';
import { kebabOf } from './kebab.ts';
import type { Deployed, Woken } from './manifested.ts';
import { reconcileAll } from './reconcile-all.ts';
import { resync } from './resync-due.ts';
import type { ChangeRow, EventRow, FunctionRow } from './rows.ts';

type Kind = Pick<ObjectRef, 'apiVersion' | 'kind'>;

function kindOf({ apiVersion, kind }: Kind): Kind {
  return { apiVersion, kind };
}

/**
 * The functions that a controller of these resources has if it defines no other ones: one for each resource, one for each kind of
 * children, the resync, and the event log.
 */
export function standardFunctions(
  resources: readonly Resource[],
  controller: string,
): Readonly<Record<string, FunctionRow>> {
  const children = childKindsOf(resources);
  return {
    ...Object.fromEntries(resources.map((one) => [stemOf(one), rowOfResource(one)])),
    ...Object.fromEntries(children.map((one) => [stemOf(one), rowOfChild(one)])),
    'resync-due': resyncRow((received, context) =>
      resync(received, context, { parentKinds: resources.map(kindOf), looked: orphanKinds(children, controller) }),
    ),
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
  const children = childKindsOf(resources);
  const standard = [...resources, ...children].map(stemOf);
  const more = Object.keys(functions).filter((stem) => functions[stem]?.wakes === 'change' && !standard.includes(stem));
  const shared = resources.flatMap((one, index): readonly (readonly [string, readonly string[]])[] => {
    const own = children.filter(({ parents: [first] }) => first?.kind === one.kind).map(stemOf);
    const others = [...own, ...(index === 0 ? more : [])];
    return others.length === 0 ? [] : [[kebabOf(one.kind), [stemOf(one), ...others]]];
  });
  return { ...Object.fromEntries(shared), 'event-log': Object.keys(logRows) };
}

function stemOf({ kind }: Kind): string {
  return `${kebabOf(kind)}-changed`;
}

function rowKind({ apiVersion, kind }: Kind): string {
  return `${groupOf(apiVersion)}/${kind}`;
}

function rowOfResource(resource: Resource): ChangeRow {
  return { wakes: 'change', handle: itselfChanged, kind: rowKind(resource), labels: [''], looksAt: 'of others' };
}

/**
 * Objects with the label that the engine gives every child. The name of the controller is not asked for: a child on which somebody changes
 * it while no source watches would never be seen. Of a Secret the source reads only metadata.
 */
function rowOfChild(child: Child): ChangeRow {
  return {
    wakes: 'change',
    handle: childChanged(child),
    kind: rowKind(child),
    labels: [labels.ownerUid],
    ...(child.kind === 'Secret' ? { mode: 'Reference', looksAt: [] } : { looksAt: 'all' }),
  };
}

function childChanged({ parents }: Child): Handler {
  return async (change, context) => {
    const child = await subjectOf(change, context.reader);
    return reconcileAll(
      parents.flatMap((parent) => ownerOf(child, parent)),
      context,
    );
  };
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
