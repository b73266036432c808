import assert from 'node:assert/strict';
import { describe, type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Reader } from '../../../packages/controller/domain/ports.ts';
import type { apiFrom } from '../../kube/api.ts';
import { type Wanted, wrongsOf } from '../mesh/at-rest.ts';

type Lister = Pick<Reader, 'list'>;

/** A parent that is not right yet because its next try waits for a time, which no event reports. */
export interface WaitsForTime {
  readonly name: string;
  /** As its status says it. */
  readonly why: string;
}

export interface Split {
  /** What is wrong, but for what waits for a time by itself. */
  readonly wrongs: readonly string[];
  readonly waiting: readonly WaitsForTime[];
}

/** As Knudge reports it of a Pod, of a child that others change, and of a write that goes back and forth. */
const waits = /(?:[^"\\]|\\.)* not (?:made )?before \S+, and then with the next event or resync/;

/** What is wrong now, without the parents that say that they wait for a time. */
export async function splitOf(reader: Lister, { namespace, parents }: Wanted): Promise<Split> {
  const lists = parentKinds.map((kind) => reader.list({ ...kind, namespace, labelSelector: '' }));
  const live = (await Promise.all(lists)).flat();
  const waiting = live.flatMap((parent) => {
    const status = (Reflect.get(parent, 'status') ?? {}) as { readonly observedGeneration?: number };
    const why = waits.exec(JSON.stringify(status))?.[0];
    // Who has not seen yet what its user wrote last waits for an event.
    const isUpToDate = status.observedGeneration === parent.metadata.generation;
    return why === undefined || !isUpToDate ? [] : [{ name: describe(refOf(parent)), why }];
  });
  const isWaiting = (one: KubeObject): boolean => waiting.some(({ name }) => name === describe(refOf(one)));
  const others = parents.filter((one) => !isWaiting(one));
  const all = await wrongsOf(reader, { namespace, parents: others });
  // Whom we have taken out is, for the oracle, somebody whom nobody wants.
  const wrongs = all.filter((wrong) => !parents.filter(isWaiting).some((one) => isUnwanted(wrong, one)));
  return { wrongs, waiting };
}

const parentKinds = [
  { apiVersion: 'myorg.dev/v1', kind: 'Message' },
  { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' },
] as const;

function isUnwanted(wrong: string, parent: KubeObject): boolean {
  const start = `${describe(refOf(parent))} should be gone`;
  return wrong === start || wrong.startsWith(`${start}:`);
}

/** What a resync has found that no source had reported. */
export interface Repair {
  /** Of the parent, as `describe` says it. */
  readonly parent: string;
  readonly text: string;
}

type Api = ReturnType<typeof apiFrom>;

interface EventLike {
  readonly note?: string;
  readonly regarding: { readonly apiVersion: string; readonly kind: string; readonly name: string };
}

/** By the Kubernetes Events in which the resyncs say so. */
export async function repairsIn(api: Api, namespace: string): Promise<readonly Repair[]> {
  const path = `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
  const { status, body } = await api('GET', path, { query: { fieldSelector: 'reason=FoundByResync' } });
  assert.equal(status, 200, JSON.stringify(body));
  const { items } = body as { readonly items: readonly EventLike[] };
  return items.map(({ note = '', regarding }) => ({ parent: describe({ ...regarding, namespace }), text: note }));
}
