import type { Tried } from '../domain/delivery.ts';
import { type Call, isRead, type Transport } from './call.ts';

/** The same transport; `hear` gets what came of each request to write, once it has ended. */
export function hearing(transport: Transport, hear: (tried: Tried) => void): Transport {
  return async (call) => {
    if (isRead(call)) return transport(call);
    let made: Tried;
    try {
      const answer = await transport(call);
      made = writtenBy(call, answer);
      return answer;
    } finally {
      hear(made);
    }
  };
}

interface Named {
  readonly uid?: unknown;
  readonly resourceVersion?: unknown;
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
}

interface Answered {
  readonly metadata?: Named;
  /** Of a `Status`, which answers the deletion of an object that is gone at once. */
  readonly details?: Named;
}

/** Undefined for an answer that names no object, or shows the version that was there before. */
export function writtenBy({ verb, target, body }: Call, answer: unknown): Tried {
  const { metadata = {}, details = {} } = (answer ?? {}) as Answered;
  const before = insistedOn(body);
  const uid = metadata.uid ?? details.uid ?? (verb === 'delete' ? before.uid : undefined);
  const isOld = metadata.resourceVersion !== undefined && metadata.resourceVersion === before.resourceVersion;
  if (isOld && !isEnd(verb, metadata)) return undefined;
  const resourceVersion = isOld ? '' : (metadata.resourceVersion ?? '');
  if (typeof uid !== 'string' || typeof resourceVersion !== 'string') return undefined;
  const [, kind = '', namespace = '', name = ''] = /^(\S+) (?:([^/]*)\/)?(.*)$/.exec(target) ?? [];
  return { do: verb, kind, namespace, name, uid, resourceVersion };
}

/**
 * Whether an answer with the version that was there before is about an object that is gone: deleted at once, or because the last that it
 * waited for was taken away.
 */
function isEnd(verb: string, { deletionTimestamp, finalizers = [] }: Named): boolean {
  return verb === 'delete'
    ? deletionTimestamp === undefined
    : deletionTimestamp !== undefined && finalizers.length === 0;
}

/** What a request says of the object that it is about: in its metadata, as the precondition of a deletion, or in the tests of a JSON patch. */
function insistedOn(body: unknown): Named {
  if (!Array.isArray(body)) {
    const { metadata, preconditions } = (body ?? {}) as { readonly metadata?: Named; readonly preconditions?: Named };
    return preconditions ?? metadata ?? {};
  }
  const tests = body as readonly { readonly op: string; readonly path: string; readonly value?: unknown }[];
  const version = tests.find(({ op, path }) => op === 'test' && path === '/metadata/resourceVersion');
  return { resourceVersion: version?.value };
}
