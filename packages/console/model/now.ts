import type { LiveCondition } from '../../controller/domain/conditions.ts';
import type { Child } from './related.ts';
import type { ObjectNow, Row } from './types.ts';

/** What `kubectl get` says of an object, in one line: `Ready 1/1, Status Running`. */
export function wordsOf({ shown, leaving }: Row): string {
  const words = Object.entries(shown).map(([head, value]) => `${head} ${value}`);
  return [...words, ...(leaving ? ['being deleted'] : [])].join(', ');
}

/** The children that the log knows, each with its state in the cluster where that is known, and those that the log does not know. */
export function withNow(logged: readonly Child[], now: ObjectNow | undefined): readonly Child[] {
  const rows = new Map((now?.children ?? []).map((row) => [keyOf(row), row]));
  const unread = new Set(now?.unread.map(({ kind }) => kind));
  const known = logged.map((child): Child => {
    const row = rows.get(keyOf(child));
    rows.delete(keyOf(child));
    if (row !== undefined) return { ...child, state: wordsOf(row) };
    const isAway = now !== undefined && !unread.has(child.kind);
    return isAway ? { ...child, state: 'not in the cluster' } : child;
  });
  const others = [...rows.values()].map((row): Child => {
    const { kind, namespace, name } = row;
    return { kind, name, ...(namespace && { namespace }), state: wordsOf(row) };
  });
  return [...known, ...others];
}

function keyOf({ kind, namespace = '', name }: Pick<Child, 'kind' | 'namespace' | 'name'>): string {
  return `${kind} ${namespace}/${name}`;
}

/** A part of a status that is a list of objects, as a table. */
export interface Listed {
  readonly name: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A status as a page shows it: its conditions, its plain values, and its lists of objects. */
export function partsOf(status: Readonly<Record<string, unknown>>): {
  readonly conditions: readonly LiveCondition[];
  readonly values: readonly (readonly [string, string])[];
  readonly lists: readonly Listed[];
} {
  const { conditions, ...rest } = status;
  const parts = Object.entries(rest);
  return {
    conditions: isObjects(conditions) ? (conditions as unknown as readonly LiveCondition[]) : [],
    values: parts.filter(([, value]) => !isObjects(value)).map(([name, value]) => [name, textOf(value)]),
    lists: parts.flatMap(([name, value]) => (isObjects(value) ? [listed(name, value)] : [])),
  };
}

function listed(name: string, items: readonly Readonly<Record<string, unknown>>[]): Listed {
  const heads = [...new Set(items.flatMap((item) => Object.keys(item)))];
  return { name, heads, rows: items.map((item) => heads.map((head) => textOf(item[head] ?? ''))) };
}

function isObjects(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'object' && one !== null);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
