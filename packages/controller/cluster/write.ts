import { asKnudgeError, KnudgeError } from '../domain/errors.ts';
import { describe, type KubeObject, type ObjectRef } from '../domain/kube-object.ts';
import { manager } from '../domain/names.ts';
import type { Call, Transport } from './call.ts';
import { toObject } from './parse.ts';
import { objectPath, resourceName } from './paths.ts';

/** A write to one object or its subresource. */
export interface Change {
  readonly ref: ObjectRef;
  readonly verb: string;
  readonly method?: Call['method'];
  readonly subresource?: 'status' | 'scale';
  /** The path, if it is not the object's own. */
  readonly path?: string;
  readonly contentType?: string;
  /** Lets a server-side apply take fields from other managers. */
  readonly force?: boolean;
  readonly body: unknown;
}

/** Sends a write under Knudge's field manager; returns the JSON of the answer. */
export function write(transport: Transport, change: Change): Promise<unknown> {
  const { ref, verb, method = 'PATCH', subresource, force, body, contentType } = change;
  return transport({
    method,
    verb,
    resource: resourceName(ref, subresource),
    target: describe(ref),
    path: change.path ?? objectPath(ref, subresource),
    ...(method !== 'DELETE' && { query: { fieldManager: manager, ...(force === true && { force: 'true' }) } }),
    ...(contentType !== undefined && { contentType }),
    body,
  });
}

/** The same, returning the object as it is afterwards; an answer that is not that object leaves the outcome unknown. */
export async function writeObject(transport: Transport, change: Change): Promise<KubeObject> {
  const body = await write(transport, change);
  try {
    return toObject(body, change.ref);
  } catch (error) {
    const { message } = asKnudgeError(error);
    throw new KnudgeError('outcome-unknown', `${change.verb} of ${message}; it may have happened, so read again`);
  }
}
