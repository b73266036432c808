import { badRequest } from '../http/problem.ts';
import type { JsonObject } from '../json.ts';
import { isArray, objectAt } from '../json.ts';
import type { Kind } from '../schema/kind.ts';
import { prune } from '../schema/prune.ts';
import { typeFault } from './go-types.ts';
import { normal } from './normal.ts';

/** A body that was read as a built-in kind: with its defaults, and the names of its unknown fields. Throws 400 for a wrong type. */
export function decodeBuiltin(kind: Kind, body: JsonObject): { object: JsonObject; unknown: readonly string[] } {
  const fault = typeFault(kind.schema, body);
  if (fault !== undefined)
    throw badRequest(`${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${fault}`);
  const { value, unknown } = prune(kind.schema, body);
  const object = normal(kind.schema, value) as JsonObject;
  // Go leaves out empty lists; an empty managedFields means something: forget the owners.
  const { managedFields } = objectAt(body, 'metadata');
  const isReset = isArray(managedFields) && managedFields.length === 0;
  return {
    object: isReset ? { ...object, metadata: { ...objectAt(object, 'metadata'), managedFields } } : object,
    unknown,
  };
}
