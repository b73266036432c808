import { objectMeta } from '../builtin/definitions.ts';
import { typeFault } from '../builtin/go-types.ts';
import { normal } from '../builtin/normal.ts';
import { badRequest } from '../http/problem.ts';
import type { JsonObject } from '../json.ts';
import { withDefaults } from '../schema/defaults.ts';
import type { Kind } from '../schema/kind.ts';
import { prune } from '../schema/prune.ts';
import { givenSchema } from './kinds-of.ts';

/** A body that was read as a custom resource: pruned and with defaults; only the types of its metadata are checked. */
export function decodeCustom(kind: Kind, body: JsonObject): { object: JsonObject; unknown: readonly string[] } {
  const meta = objectMeta();
  const fault = typeFault(meta, body['metadata'] ?? null);
  if (fault !== undefined)
    throw badRequest(`${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${fault}`);
  const { value, unknown } = prune(kind.schema, body);
  const { metadata, ...fields } = value as JsonObject;
  const defaulted = withDefaults(givenSchema(kind), fields) as JsonObject;
  const object = { ...defaulted, metadata: normal(meta, metadata ?? {}) };
  const rank = (path: string) => (path.startsWith('metadata.') ? 0 : path.includes('.metadata.') ? 2 : 1);
  return { object, unknown: unknown.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)) };
}
