import { createHash } from 'node:crypto';
import type { KubeObject } from '../controller/domain/kube-object.ts';
import type { LooksAt } from '../controller/domain/looks-at.ts';
import { manager } from '../controller/domain/names.ts';

interface Seen extends KubeObject {
  readonly metadata: KubeObject['metadata'] & {
    readonly managedFields?: readonly { readonly manager?: string; readonly subresource?: string }[];
  };
  readonly status?: Readonly<Record<string, unknown>>;
}

/** A short digest of what functions look at in an object: if it is the same, there is nothing to announce. */
export function viewOf(object: KubeObject, looksAt: LooksAt): string {
  const { metadata, status, ...rest }: Seen = object;
  const { resourceVersion, generation, managedFields = [], ...kept } = metadata;
  const isOfOthers = managedFields.some((entry) => entry.subresource === 'status' && entry.manager !== manager);
  const looked = lookedAt(status, looksAt, isOfOthers);
  return createHash('sha256')
    .update(JSON.stringify([kept, rest, looked]))
    .digest('base64')
    .slice(0, 22);
}

function lookedAt(status: Seen['status'], looksAt: LooksAt, isOfOthers: boolean): unknown {
  if (looksAt === 'all') return status;
  if (looksAt === 'of others') return isOfOthers && status;
  return looksAt.map((field) => fieldOf(status ?? {}, field));
}

interface Condition {
  readonly type?: unknown;
  readonly status?: unknown;
  readonly reason?: unknown;
  readonly message?: unknown;
}

function fieldOf(status: Readonly<Record<string, unknown>>, field: string): unknown {
  const [name = '', condition] = field.split('/');
  const value = status[name];
  if (condition === undefined) return value ?? null;
  const found = Array.isArray(value)
    ? (value as readonly Condition[]).find(({ type }) => type === condition)
    : undefined;
  return found === undefined ? null : [found.status, found.reason, found.message];
}
