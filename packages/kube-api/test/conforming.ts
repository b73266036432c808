import assert from 'node:assert/strict';
import { ApiProblem } from '../http/problem.ts';
import type { JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import { check, complete, decode } from '../objects/conform.ts';
import type { Kind } from '../schema/kind.ts';
import { apiVersionOf } from '../schema/kind.ts';
import type { Kinds } from '../schema/kinds.ts';

/** What came of a write: the object, or what was said against it, one line a cause. */
interface Outcome {
  readonly object: JsonObject;
  readonly warnings: readonly string[];
  readonly said: string;
}

interface Over {
  readonly current?: JsonObject;
  readonly subresource?: '' | 'status' | 'scale';
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}

/** Decodes, completes and checks an object as a write of it does; the namespace is `default` and the uid `uid`. */
export function conform(
  kind: Kind,
  body: object,
  { current, subresource = '', fieldValidation = 'Warn' }: Over = {},
): Outcome {
  try {
    const { object: decoded, warnings } = decode(kind, JSON.parse(JSON.stringify(body)) as JsonObject, fieldValidation);
    const metadata = { ...(kind.namespaced && { namespace: 'default' }), uid: 'uid', ...objectAt(decoded, 'metadata') };
    const whole = { kind: kind.kind, apiVersion: apiVersionOf(kind), ...decoded, metadata };
    const object = complete(kind, whole, { current, random: () => 0.5 });
    const causes = check(kind, object, { current, subresource });
    return { object, warnings, said: causes.map(({ field, message }) => `${field}: ${message}`).join('\n') };
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    return { object: {}, warnings: [], said: error.message };
  }
}

/** `Pod`, `apps/v1 Deployment`. */
export function kindOf(kinds: Kinds, name: string): Kind {
  const [kind = '', apiVersion = 'v1'] = name.split(' ').toReversed();
  const found = kinds.ofKind(apiVersion, kind);
  assert.ok(found !== undefined, name);
  return found;
}
