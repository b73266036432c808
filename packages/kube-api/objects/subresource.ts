import type { Json, JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import type { Kind } from '../schema/kind.ts';
import { metadataOf, withMetadata } from './metadata.ts';

/** Keeps what an update through a subresource, or past it, may not change. */
export function keepOthers(
  kind: Kind,
  subresource: string,
  { before, after }: { before: JsonObject; after: JsonObject },
) {
  switch (subresource) {
    case 'status':
      return kind.custom ? onlyStatus(before, after) : withOld(kind, before, withField(after, 'spec', before['spec']));
    case 'finalize': {
      const { finalizers } = objectAt(after, 'spec');
      const { finalizers: _, ...spec } = objectAt(before, 'spec');
      const next = finalizers === undefined ? spec : { ...spec, finalizers };
      return { ...withField(after, 'status', before['status']), spec: next };
    }
    case '':
      return kind.hasStatus ? withOldSpec(kind, before, withField(after, 'status', before['status'])) : after;
    default:
      return after;
  }
}

/** A new object without its status, which only a Node may bring along. */
export function withoutStatus(kind: Kind, object: JsonObject): JsonObject {
  return kind.hasStatus && kind.kind !== 'Node' ? withField(object, 'status', undefined) : object;
}

function onlyStatus(before: JsonObject, after: JsonObject): JsonObject {
  const { managedFields } = metadataOf(after);
  return withMetadata(withField(before, 'status', after['status']), { managedFields });
}

/** Measured: the status of a Deployment does not change its labels, that of a Pod its owners; both change annotations. */
function withOld({ kind }: Kind, before: JsonObject, after: JsonObject): JsonObject {
  const old = metadataOf(before);
  if (kind === 'Deployment') return withMetadata(after, { labels: old['labels'] });
  if (kind === 'Pod') return withMetadata(after, { ownerReferences: old['ownerReferences'] });
  return after;
}

/** Only the finalize subresource changes the finalizers of a namespace. */
function withOldSpec({ kind }: Kind, before: JsonObject, after: JsonObject): JsonObject {
  return kind === 'Namespace' ? withField(after, 'spec', before['spec']) : after;
}

function withField(object: JsonObject, field: string, value: Json | undefined): JsonObject {
  const { [field]: _, ...rest } = object;
  return value === undefined ? rest : { ...rest, [field]: value };
}
