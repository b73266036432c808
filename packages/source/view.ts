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

/** What functions look at in an object, as a short digest: where it is the same, there is nothing to tell them. */
export function viewOf(object: KubeObject, looksAt: LooksAt): string {
  const { metadata, status, ...rest }: Seen = object;
  const { resourceVersion, generation, managedFields = [], ...kept } = metadata;
  const isOfOthers = managedFields.some((entry) => entry.subresource === 'status' && entry.manager !== manager);
  const looked = looksAt === 'of others' ? isOfOthers && status : looksAt.map((field) => fieldOf(status ?? {}, field));
  return createHash('sha256')
    .update(JSON.stringify([kept, rest, looked]))
    .digest('base64')
    .slice(0, 22);
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
