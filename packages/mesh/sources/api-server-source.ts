import { randomUUID } from 'node:crypto';
import type { Access } from '../../controller/cluster/access.ts';
import { startWatch, type WatchPace, type WatchState } from '../../controller/cluster/watch.ts';
import { controllerOf, type KubeObject } from '../../controller/domain/kube-object.ts';
import { guessedPlural, versionPath } from '../../controller/domain/plural.ts';
import { eventOf } from '../../source/event-of.ts';
import type { Happening } from '../../source/news.ts';
import type { CloudEvent } from '../cloud-event.ts';
import type { Report } from '../hop.ts';
import type { SourceSpec, WatchedResource } from '../mesh-spec.ts';
import { keepLanes } from './lanes.ts';
import { followNamespaces } from './namespaces.ts';
import { type Send, sendWithRetries } from './send.ts';
import { isNamespaced } from './served.ts';

export interface SourceOptions {
  readonly access: Access;
  /** The version of Knudge, for the User-Agent. */
  readonly version: string;
  /** Sends an event to the sink of the source. */
  readonly send: Send;
  readonly report: Report;
  readonly pace?: Partial<WatchPace>;
  readonly now?: () => Date;
  readonly newId?: () => string;
}

/** Something that runs until it is closed. */
export interface Running {
  close(): Promise<void>;
}

/** Changes of one namespace that may wait to be sent: further ones are lost, as they are if a real adapter is too slow. */
const mostWaiting = 10_000;

const verbs = { ADDED: 'add', MODIFIED: 'update', DELETED: 'delete' } as const;

/**
 * Runs an ApiServerSource on a cluster as Knative's adapter does: one watch for each entry and namespace, without an event for
 * existing objects. Unlike with the adapter a change waits only for those of its own namespace. Resolves when each watch stands or
 * has failed for the first time.
 */
export async function startApiServerSource(spec: SourceSpec, options: SourceOptions): Promise<Running> {
  switch (spec.namespaces.kind) {
    case 'all':
      return startWatches(spec, options, ['']);
    case 'own':
      return startWatches(spec, options, [spec.namespace]);
    case 'labelled':
      return followNamespaces(spec.namespaces.selector, {
        ...options,
        source: spec.name,
        start: (namespaces) => startWatches(spec, options, namespaces),
      });
  }
}

/** An empty namespace means all of them. */
async function startWatches(spec: SourceSpec, options: SourceOptions, namespaces: readonly string[]): Promise<Running> {
  const ending = new AbortController();
  const started = await Promise.all(
    spec.resources.map((resource) => startResource(resource, { ...options, spec, namespaces, signal: ending.signal })),
  );
  return {
    close: async () => {
      ending.abort();
      await Promise.all(started.flat().map((watch) => watch.close()));
    },
  };
}

interface Started extends SourceOptions {
  readonly spec: SourceSpec;
  readonly namespaces: readonly string[];
  readonly signal: AbortSignal;
}

/** A cluster-scoped kind has one watch, for any namespaces. */
async function startResource(resource: WatchedResource, started: Started): Promise<readonly Running[]> {
  const { namespaces } = started;
  const isEverywhere = namespaces.includes('') || !(await isNamespaced(resource, started));
  return Promise.all((isEverywhere ? [''] : namespaces).map((namespace) => startOne(resource, namespace, started)));
}

async function startOne(resource: WatchedResource, namespace: string, started: Started): Promise<Running> {
  const { access, version, spec, report, pace } = started;
  const first = Promise.withResolvers<void>();
  const lanes = keepLanes(mostWaiting);
  const see = (happening: Happening): void => {
    if (!isOwned(happening.object, spec)) return;
    const { namespace: lane = '' } = happening.object.metadata;
    if (!lanes.add(lane, () => pass(happening, started))) lose(happening, started);
  };
  const tell = (state: WatchState): void => {
    report({ ...state, source: spec.name, what: describe(resource, namespace) });
    first.resolve();
  };
  const home = namespace === '' ? '' : `/namespaces/${namespace}`;
  const watch = startWatch({
    access,
    version,
    path: `${versionPath(resource.apiVersion)}${home}/${guessedPlural(resource.kind)}`,
    selector: resource.selector,
    seen: async (type, object) => see({ verb: verbs[type], object }),
    tell,
    ...(pace && { pace }),
  });
  await first.promise;
  return {
    close: async () => {
      await watch.close();
      await lanes.empty();
    },
  };
}

function pass(happening: Happening, started: Started): Promise<void> {
  return sendWithRetries(toEvent(happening, started), { ...started, source: started.spec.name });
}

function lose(happening: Happening, started: Started): void {
  const why = `${mostWaiting} changes of its namespace wait before it`;
  started.report({ kind: 'lost', source: started.spec.name, event: toEvent(happening, started), why });
}

function toEvent(happening: Happening, started: Started): CloudEvent {
  const { spec, access, now = () => new Date(), newId = randomUUID } = started;
  const { mode, namespace, overrides } = spec;
  const stamp = { mode, source: access.server, namespace, overrides, id: newId(), time: now().toISOString() };
  return eventOf(happening, stamp);
}

/** Only the controller counts among the owners. */
function isOwned(object: KubeObject, { owner }: SourceSpec): boolean {
  if (owner === undefined) return true;
  const controller = controllerOf(object);
  return controller?.apiVersion === owner.apiVersion && controller.kind === owner.kind;
}

function describe({ kind, selector }: WatchedResource, namespace: string): string {
  return [kind, selector && `with ${selector}`, namespace && `in ${namespace}`].filter((part) => part !== '').join(' ');
}
