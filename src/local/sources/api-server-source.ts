import { randomUUID } from 'node:crypto';
import { controllerOf, type KubeObject } from '../../domain/kube-object.ts';
import type { Access } from '../../kube/access.ts';
import { startWatch, type WatchPace, type WatchState } from '../../kube/watch.ts';
import type { Report } from '../hop.ts';
import type { SourceSpec, WatchedResource } from '../mesh-spec.ts';
import { eventOf, type Happening } from './event-of.ts';
import { followNamespaces } from './namespaces.ts';
import { guessedPlural, versionPath } from './plural.ts';
import { type Send, sendWithRetries } from './send.ts';
import { isNamespaced } from './served.ts';

export interface SourceOptions {
  readonly access: Access;
  /** Of Knudge, for the User-Agent. */
  readonly version: string;
  /** Hands an event to the sink of the source. */
  readonly send: Send;
  readonly report: Report;
  readonly pace?: Partial<WatchPace>;
  readonly now?: () => Date;
  readonly newId?: () => string;
}

/** Something that runs until it is told to stop. */
export interface Running {
  close(): Promise<void>;
}

const verbs = { ADDED: 'add', MODIFIED: 'update', DELETED: 'delete' } as const;

/**
 * Runs an ApiServerSource on a cluster as Knative's adapter does: one watch for each entry and namespace, in order, without
 * an event for what exists already. Resolves when each watch stands or has failed for the first time.
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

/** A cluster-scoped kind has one watch, whatever the namespaces. */
async function startResource(resource: WatchedResource, started: Started): Promise<readonly Running[]> {
  const { namespaces } = started;
  const isEverywhere = namespaces.includes('') || !(await isNamespaced(resource, started));
  return Promise.all((isEverywhere ? [''] : namespaces).map((namespace) => startOne(resource, namespace, started)));
}

async function startOne(resource: WatchedResource, namespace: string, started: Started): Promise<Running> {
  const { access, version, spec, report, pace } = started;
  const first = Promise.withResolvers<void>();
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
    seen: (type, object) => pass({ verb: verbs[type], object }, started),
    tell,
    ...(pace && { pace }),
  });
  await first.promise;
  return watch;
}

async function pass(happening: Happening, started: Started): Promise<void> {
  const { spec, access, now = () => new Date(), newId = randomUUID } = started;
  if (!isOwned(happening.object, spec)) return;
  const { mode, namespace, overrides, name } = spec;
  const stamp = { mode, source: access.server, namespace, overrides, id: newId(), time: now().toISOString() };
  await sendWithRetries(eventOf(happening, stamp), { ...started, source: name });
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
