import { admitted } from '../builtin/admission.ts';
import { decodeBuiltin } from '../builtin/decode.ts';
import { builtinCauses } from '../checks/builtin.ts';
import { metadataCauses } from '../checks/metadata.ts';
import { customCauses } from '../crd/check.ts';
import { decodeCustom } from '../crd/decode.ts';
import type { Cause } from '../http/problem.ts';
import { badRequest } from '../http/problem.ts';
import type { JsonObject } from '../json.ts';
import type { Kind } from '../schema/kind.ts';

/** A decoded object, and the texts for the `Warning` headers. */
export interface Decoded {
  readonly object: JsonObject;
  readonly warnings: readonly string[];
}

/**
 * A body as an object of a kind: unknown fields dropped, the defaults of its schema or of Kubernetes filled in.
 * Throws 400 for a value of a wrong type and, with `Strict`, for unknown fields. A field that is given twice is not
 * noticed: JSON.parse keeps the last one.
 */
export function decode(kind: Kind, body: JsonObject, fieldValidation: 'Ignore' | 'Warn' | 'Strict'): Decoded {
  const { object, unknown } = kind.custom ? decodeCustom(kind, body) : decodeBuiltin(kind, body);
  const said = unknown.map((path) => `unknown field "${path}"`);
  if (fieldValidation === 'Strict' && said.length > 0) {
    const strict = `strict decoding error: ${said.join(', ')}`;
    throw badRequest(`${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${strict}`);
  }
  return { object, warnings: fieldValidation === 'Warn' ? said : [] };
}

/** A decoded object with everything that the server sets by itself, besides metadata: admission, addresses, generated selectors. */
export function complete(
  kind: Kind,
  next: JsonObject,
  { current, random }: { current: JsonObject | undefined; random: () => number },
): JsonObject {
  return kind.custom ? next : admitted(kind, next, { current, random });
}

/** The faults of an object; empty if it is valid. */
export function check(
  kind: Kind,
  next: JsonObject,
  { current, subresource }: { current: JsonObject | undefined; subresource: '' | 'status' | 'scale' },
): readonly Cause[] {
  const found = metadataCauses(kind, next, current);
  return kind.custom
    ? customCauses(kind, next, { current, subresource, found })
    : [...found, ...builtinCauses(kind, next, { current, subresource })];
}
