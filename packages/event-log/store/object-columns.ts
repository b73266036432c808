import { createHash } from 'node:crypto';

/** What is known of the object in an event, to find the event by; null where its data holds no object. */
export interface ObjectColumns {
  readonly uid: string | null;
  readonly version: string | null;
  /** A hash of its spec, and of its status: an event with another one than the event before it has changed that. */
  readonly spec_hash: string | null;
  readonly status_hash: string | null;
}

/** The columns of data as it is kept: of what is not kept there is no hash either. */
export function objectColumns(data: unknown): ObjectColumns {
  const { metadata, spec, status } = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  const { uid, resourceVersion } = (metadata ?? {}) as { readonly uid?: unknown; readonly resourceVersion?: unknown };
  const of = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, longest) : null);
  return { uid: of(uid), version: of(resourceVersion), spec_hash: hashOf(spec), status_hash: hashOf(status) };
}

/** Characters: an index has no room for more. */
const longest = 256;

function hashOf(value: unknown): string | null {
  const text = JSON.stringify(value);
  return text === undefined ? null : createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
