import { ApiProblem } from '../http/problem.ts';
import type { Json } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import { type Comparison, compare } from './compare.ts';
import { difference, type FieldSet, intersection, isEmpty, outside, pathsOf, union } from './field-set.ts';
import type { Manager, Managers } from './managers.ts';
import { describe } from './path-element.ts';

export interface Write {
  readonly schema: Schema;
  /** The version of the request: the reset fields are left out only for managers of this version. */
  readonly apiVersion: string;
  readonly reset: FieldSet;
  readonly before: Json;
  readonly after: Json;
  /** The identity of the writer. */
  readonly id: string;
}

/** One field that another manager owns. */
export interface Conflict {
  readonly manager: Manager;
  readonly id: string;
  readonly path: readonly string[];
}

export interface Outcome {
  readonly changes: Comparison;
  /** Fields of other owners that the write changes, in the order of the server's message. */
  readonly conflicts: readonly Conflict[];
  /** All managers if the write is carried out all the same; the writer's own entry is unchanged. */
  readonly managers: Managers;
}

/** What a write takes from the other managers: what it changes and what it removes. */
export function takeOver(write: Write, managers: Managers): Outcome {
  const all = compare(write.schema, write.before, write.after);
  const changes = withoutReset(all, write.reset);
  const conflicts: Conflict[] = [];
  const left = new Map<string, Manager>();
  for (const [id, manager] of [...managers].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const seen = manager.apiVersion === write.apiVersion ? changes : all;
    const isOwn = id === write.id;
    const taken = isOwn ? undefined : intersection(manager.fields, union(seen.modified, seen.added));
    if (taken !== undefined) conflicts.push(...pathsOf(taken).map((path) => ({ manager, id, path })));
    const fields = taken === undefined ? manager.fields : difference(difference(manager.fields, taken), seen.removed);
    if (!isEmpty(fields)) left.set(id, { ...manager, fields });
  }
  return { changes, conflicts, managers: left };
}

/** 409 with the causes as the server orders and words them. */
export function conflictProblem(conflicts: readonly Conflict[]): ApiProblem {
  const causes = conflicts.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${nameOf(manager)}`,
    field: path.map(describe).join(''),
  }));
  const [first] = causes;
  const message =
    causes.length === 1 && first !== undefined
      ? `1 conflict: ${first.message}: ${first.field}`
      : `${causes.length} conflicts: ${grouped(conflicts).join('\n')}`;
  return new ApiProblem(409, 'Conflict', { message: `Apply failed with ${message}`, details: { causes } });
}

function grouped(conflicts: readonly Conflict[]): readonly string[] {
  return [...Map.groupBy(conflicts, ({ id }) => id).values()].flatMap((group) => [
    ...group.slice(0, 1).map(({ manager }) => `conflicts with ${nameOf(manager)}:`),
    ...group.map(({ path }) => `- ${path.map(describe).join('')}`),
  ]);
}

function nameOf({ name, operation, apiVersion, subresource }: Manager): string {
  const under = subresource === '' ? '' : ` with subresource "${subresource}"`;
  return `${JSON.stringify(name)}${under}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}

function withoutReset({ added, removed, modified }: Comparison, reset: FieldSet): Comparison {
  return { added: outside(added, reset), removed: outside(removed, reset), modified: outside(modified, reset) };
}
