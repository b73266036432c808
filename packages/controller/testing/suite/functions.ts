import { withNet } from '../../decide/net.ts';
import { type Outgoing, requestedType, resyncSource } from '../../domain/change.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';
import { rowKind } from '../../functions/change-rows.ts';
import { reactToChanges } from '../../react/change.ts';
import { encode } from '../../wire/encode.ts';
import { deliveryOf, eventIn, type SimulatedEvent } from '../sim/event.ts';
import type { Functions } from '../sim/functions.ts';
import { startInstance } from '../sim/instance.ts';
import type { Due } from '../sim/run.ts';
import { rowsOf } from './rows.ts';
import type { FaultSuite } from './suite.ts';

/** As the Triggers of Knudge's own manifests have them. */
const tries = { retry: 3, backoffDelayMs: 400 } as const;

const verbs = { ADDED: 'add', MODIFIED: 'update', DELETED: 'delete' } as const;

/** A controller of these resources, in one process, woken by every change of a kind that it knows. */
export function functionsOf(suite: Pick<FaultSuite, 'resources' | 'handlers'>): Functions {
  const rows = rowsOf(suite);
  const resources = suite.resources.map((one) => withNet(one, suite.resources));
  return {
    serviceOf: () => 'controller',
    start: (service, { chance: _, ...parts }) =>
      startInstance({
        ...parts,
        service,
        resources: () => resources,
        reactions: ({ runs }) =>
          new Map([...rows].map(([kind, handle]) => [kind, reactToChanges({ kind, handle }, runs)])),
      }),
    watch: ({ api, newId, now, send }) =>
      api.client.subscribe(({ type, object }) => {
        const isSecret = rowKind(object) === '/Secret';
        const about = {
          id: newId(),
          type: `dev.knative.apiserver.${isSecret ? 'ref' : 'resource'}.${verbs[type]}`,
          source: 'https://kubernetes',
        };
        // Sources watch Secrets by their names alone.
        const data = isSecret ? refOf(object) : object;
        send(eventAbout(object, { ...about, time: new Date(now()).toISOString(), data }));
      }),
    dueOf: (event) => dueOf(event, rows),
  };
}

/** The event by which the resync asks after a parent. */
export function requestOf(parent: KubeObject, round: string, now: number): SimulatedEvent {
  const about = { id: `${round}/${parent.metadata.uid ?? ''}`, type: requestedType, source: resyncSource };
  return eventAbout(parent, { ...about, time: new Date(now).toISOString() });
}

function eventAbout(object: KubeObject, about: Omit<Outgoing, 'extensions'>): SimulatedEvent {
  const { apiVersion: apiversion, kind, namespace, name } = refOf(object);
  const event = eventIn(encode({ ...about, extensions: { apiversion, kind, namespace, name } }));
  if (event === undefined) throw new Error(`${kind} ${name}: its event has no type, which encode always gives`);
  return event;
}

function dueOf(event: SimulatedEvent, rows: ReadonlyMap<string, unknown>): readonly Due[] {
  const { apiversion = '', kind = '', namespace = '', name = '', id = '', type = '' } = event.attributes;
  const group = apiversion.includes('/') ? (apiversion.split('/')[0] ?? '') : '';
  const stem = `${group}/${kind}`;
  if (!rows.has(stem)) return [];
  const ref = { apiVersion: apiversion, kind, namespace, name };
  return [{ stem, delivery: deliveryOf(event), id, type, ref, attempt: 0, tries }];
}
