import { createHash } from 'node:crypto';

/** What is known of the object in an event, to find the event by; null where its data holds no object. */
export interface ObjectColumns {
  readonly uid: string | null;
  readonly version: string | null;
  /** The uid of the object that controls it, else of its first owner. */
  readonly owner: string | null;
  /** A hash of its spec, and of its status: an event with another one than the event before it has changed that. */
  readonly spec_hash: string | null;
  readonly status_hash: string | null;
}

/** The columns of data as it is kept: of what is not kept there is no hash either. */
export function objectColumns(data: unknown): ObjectColumns {
  const { metadata, spec, status } = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  const { uid, resourceVersion, ownerReferences } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  const of = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, longest) : null);
  return {
    uid: of(uid),
    version: of(resourceVersion),
    owner: of(ownerIn(ownerReferences)),
    spec_hash: hashOf(spec),
    status_hash: hashOf(status),
  };
}

/** A sender may write anything there. */
function ownerIn(references: unknown): unknown {
  const all = Array.isArray(references) ? (references as readonly unknown[]) : [];
  const owners = all.filter((one): one is Readonly<Record<string, unknown>> => typeof one === 'object' && one !== null);
  return (owners.find(({ controller }) => controller === true) ?? owners[0])?.['uid'];
}

/** Characters: an index has no room for more. */
const longest = 256;

function hashOf(value: unknown): string | null {
  const text = JSON.stringify(value);
  return text === undefined ? null : createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
