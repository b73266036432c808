import type { Json, JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import type { Kind } from '../schema/kind.ts';
import { metadataOf, withMetadata } from './metadata.ts';

/** What an update through a subresource, or past it, may change: everything else stays as it was. */
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

/** What a new object cannot bring along: its status, but that of a Node. */
export function withoutStatus(kind: Kind, object: JsonObject): JsonObject {
  return kind.hasStatus && kind.kind !== 'Node' ? withField(object, 'status', undefined) : object;
}

function onlyStatus(before: JsonObject, after: JsonObject): JsonObject {
  const { managedFields } = metadataOf(after);
  return withMetadata(withField(before, 'status', after['status']), { managedFields });
}

/** Measured: the status of a Deployment leaves its labels alone, that of a Pod its owners; both take annotations. */
function withOld({ kind }: Kind, before: JsonObject, after: JsonObject): JsonObject {
  const old = metadataOf(before);
  if (kind === 'Deployment') return withMetadata(after, { labels: old['labels'] });
  if (kind === 'Pod') return withMetadata(after, { ownerReferences: old['ownerReferences'] });
  return after;
}

/** Only its finalize subresource changes what a namespace waits for. */
function withOldSpec({ kind }: Kind, before: JsonObject, after: JsonObject): JsonObject {
  return kind === 'Namespace' ? withField(after, 'spec', before['spec']) : after;
}

function withField(object: JsonObject, field: string, value: Json | undefined): JsonObject {
  const { [field]: _, ...rest } = object;
  return value === undefined ? rest : { ...rest, [field]: value };
}
