import { functions, looksAt, type Stem } from '../../../functions/table.ts';
import { groupOf, type KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { guessedPlural, versionPath } from '../../../packages/controller/domain/plural.ts';
import { deliveryOf } from '../../../packages/controller/testing/sim/event.ts';
import type { Due } from '../../../packages/controller/testing/sim/run.ts';
import type { Api } from '../../../packages/kube-api/api.ts';
import { wants } from '../../../packages/mesh/broker/trigger-filter.ts';
import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';
import { subjectOf } from '../../../packages/mesh/hop.ts';
import { readManifests } from '../../../packages/mesh/manifests/read-manifests.ts';
import type { MeshSpec, SourceSpec } from '../../../packages/mesh/mesh-spec.ts';
import { eventOf } from '../../../packages/source/event-of.ts';
import { viewOf } from '../../../packages/source/view.ts';

/** The manifests as they are deployed: sources, Triggers and their filters. */
export const manifests: MeshSpec = readManifests({ root: new URL('../../..', import.meta.url).pathname });

const verbs: Readonly<Record<string, 'add' | 'update' | 'delete'>> = {
  ADDED: 'add',
  MODIFIED: 'update',
  DELETED: 'delete',
};

export interface SourceParts {
  readonly api: Api;
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly send: (event: CloudEvent) => void;
}

const isOwn = { yes: false };

/** In this process what no function looks at is not sent while `work` runs: Knudge's own source is in the place of the ApiServerSources. */
export async function withOwnSource<Result>(work: () => Promise<Result>): Promise<Result> {
  isOwn.yes = true;
  return work().finally(() => {
    isOwn.yes = false;
  });
}

/** Watches as the ApiServerSources of the manifests do, from now on; gives the way to stop. */
export function startSources(parts: SourceParts): () => void {
  const stops = manifests.sources.flatMap((source) =>
    source.resources.map((resource) => watch(source, resource, parts)),
  );
  return () => {
    for (const stop of stops) stop();
  };
}

function watch(
  { mode, namespace, overrides }: SourceSpec,
  { apiVersion, kind, selector }: SourceSpec['resources'][number],
  { api, newId, now, send }: SourceParts,
): () => void {
  const path = `${versionPath(apiVersion)}/${guessedPlural(kind)}`;
  const ask = (query: Record<string, string>) =>
    api.handle({
      method: 'GET',
      path,
      query: new URLSearchParams(query),
      headers: { accept: 'application/json' },
      body: '',
    });
  const list = ask({ limit: '1' });
  if (!('body' in list) || typeof list.body === 'string') throw new Error(`${path} cannot be listed`);
  const { resourceVersion } = list.body['metadata'] as { resourceVersion: string };
  const answer = ask({ watch: 'true', resourceVersion, labelSelector: selector });
  if (!('watch' in answer)) throw new Error(`${path} cannot be watched`);
  const viewIn = (object: KubeObject) =>
    viewOf(inOrder({ ...object, apiVersion, kind }), looksAt[`${groupOf(apiVersion)}/${kind}`] ?? []);
  const views = new Map(
    isOwn.yes ? itemsOf(ask({ labelSelector: selector })).map((one) => [one.metadata.uid, viewIn(one)]) : [],
  );
  const see = (line: string): void => {
    const { type, object } = JSON.parse(line) as { type: string; object: KubeObject };
    const verb = verbs[type];
    if (verb === undefined) return;
    if (isOwn.yes && mode === 'Resource') {
      const { uid } = object.metadata;
      const view = viewIn(object);
      if (verb === 'update' && views.get(uid) === view) return;
      views.set(uid, view);
    }
    const stamp = { mode, source: 'https://kubernetes', namespace, overrides, id: newId() };
    send(eventOf({ verb, object }, { ...stamp, time: new Date(now()).toISOString() }));
  };
  return answer.watch(see, () => undefined);
}

/** A real API server writes the fields of an object always in the same order, the embedded one as somebody has written them. */
function inOrder<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(inOrder) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, one]) => [name, inOrder(one)])) as Value;
}

function itemsOf(answer: ReturnType<Api['handle']>): readonly KubeObject[] {
  return 'body' in answer && typeof answer.body !== 'string'
    ? (answer.body['items'] as unknown as readonly KubeObject[])
    : [];
}

/** What each Trigger that wants the event delivers, by the function that its subscriber is. */
export function dueOf(event: CloudEvent): readonly Due<Stem>[] {
  return manifests.triggers
    .filter(({ filters }) => wants(filters, event))
    .flatMap(({ subscriber, delivery: tries }) => {
      const stem = stemOf(subscriber);
      const ref = subjectOf(event);
      const { id = '', type = '' } = event.attributes;
      return stem === undefined
        ? []
        : [{ stem, delivery: deliveryOf(event), id, type, attempt: 0, tries, ...(ref && { ref }) }];
    });
}

/** The path is the stem where a Service serves several. */
function stemOf(subscriber: unknown): Stem | undefined {
  const { name: service = '', path } = subscriber as { readonly name?: string; readonly path?: string };
  const name = path?.slice(1) ?? service;
  return name in functions ? (name as Stem) : undefined;
}
