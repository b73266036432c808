import { randomUUID } from 'node:crypto';
import { controllerOf } from '../../../packages/controller/domain/kube-object.ts';
import { parseLabelSelector } from '../../../packages/kube-api/objects/select.ts';
import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';
import type { SourceSpec } from '../../../packages/mesh/mesh-spec.ts';
import { eventOf } from '../../../packages/source/event-of.ts';
import type { Happening } from '../../../packages/source/news.ts';
import { manifests } from '../sim/source.ts';
import type { SeenChange } from './namespace-log.ts';

/** The events that the sources of the manifests make of a change: one for each entry that its labels fit. */
export function eventsOf(change: SeenChange): readonly CloudEvent[] {
  return manifests.sources.flatMap((source) =>
    source.resources.flatMap((resource) => {
      const { apiVersion, kind } = change.object;
      if (resource.apiVersion !== apiVersion || resource.kind !== kind || !isOwned(change, source)) return [];
      const verb = verbOf(change, parseLabelSelector(resource.selector));
      // The API server reports what no longer fits as it was when it did.
      const object = verb === 'delete' && change.type !== 'DELETED' ? (change.before ?? change.object) : change.object;
      return verb === undefined ? [] : [eventOf({ verb, object }, stampOf(source))];
    }),
  );
}

/** A watch with a selector reports an object that no longer fits as if it were deleted, and the other way round. */
function verbOf(
  { type, object, before }: SeenChange,
  fits: (labels: Readonly<Record<string, unknown>>) => boolean,
): Happening['verb'] | undefined {
  const isIn = type !== 'DELETED' && fits(object.metadata.labels ?? {});
  const wasIn = before === undefined ? type === 'DELETED' : fits(before.metadata.labels ?? {});
  if (isIn) return wasIn ? 'update' : 'add';
  return wasIn ? 'delete' : undefined;
}

function isOwned({ object }: SeenChange, { owner }: SourceSpec): boolean {
  if (owner === undefined) return true;
  const controller = controllerOf(object);
  return controller?.apiVersion === owner.apiVersion && controller.kind === owner.kind;
}

function stampOf({ mode, namespace, overrides }: SourceSpec) {
  const id = randomUUID();
  return { mode, namespace, overrides, id, source: 'https://kubernetes', time: new Date().toISOString() };
}
