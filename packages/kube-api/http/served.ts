import type { JsonObject } from '../json.ts';
import type { Decoded } from '../objects/conform.ts';
import { decodeText } from '../objects/duplicates.ts';
import type { Wanted } from './accept.ts';
import { answer } from './answer.ts';
import { ofKind, parseBody } from './body.ts';
import type { WriteOptions } from './options.ts';
import type { Presentation } from './present.ts';
import { includeOf, presentObject } from './present.ts';
import type { ApiAnswer, ApiRequest, ServerContext } from './request.ts';
import type { Target } from './route.ts';

/** A request on its way to its answer. */
export interface Served {
  readonly world: ServerContext;
  readonly target: Target;
  readonly request: ApiRequest;
  readonly wanted: Wanted;
  /** Added to any answer. */
  readonly warnings: readonly string[];
}

export function presentationOf({ world, target, request, wanted }: Served): Presentation {
  return { kind: target.kind, wanted, include: includeOf(request.query), now: world.now() };
}

/** The object in the body, with its defaults; throws 400 and 415. */
export function decodeBody({ world, target: { kind }, request }: Served, { validation }: WriteOptions): Decoded {
  const body = ofKind(kind, parseBody(request, kind.kind), world.kinds);
  return decodeText(kind, { body, text: request.body, validation });
}

export function answerObject(status: number, object: JsonObject, served: Served): ApiAnswer {
  const { wanted, warnings } = served;
  return answer(status, presentObject(object, presentationOf(served)), { wanted, warnings });
}
