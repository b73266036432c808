import { conflict } from '../http/problem.ts';
import { timestamp } from '../http/request.ts';
import { isEqual, isObject, type JsonObject, objectAt } from '../json.ts';
import { apiVersionOf, type Kind } from '../schema/kind.ts';
import { checkApplied } from './check.ts';
import { difference, hasPath, noFields, outside } from './field-set.ts';
import { fieldsOf } from './fields-of.ts';
import { annotated, lastAppliedFields } from './last-applied.ts';
import { idOf, type Manager, type Managers, managersOf, withManagers } from './managers.ts';
import { merge } from './merge.ts';
import { prune } from './prune.ts';
import { resetFields, strippedFields } from './reset.ts';
import { fromScale, scaleKind, toScale } from './scale.ts';
import { schemaOf } from './shape.ts';
import { updated } from './track.ts';
import { conflictProblem, takeOver } from './update.ts';
import { withStructs } from './zero.ts';

export interface Application {
  readonly kind: Kind;
  /** The object in the version of the request; undefined: the apply creates it. */
  readonly live: JsonObject | undefined;
  /** As it was sent. */
  readonly applied: JsonObject;
  readonly manager: string;
  readonly force: boolean;
  readonly subresource: string;
  /** Milliseconds. */
  readonly now: number;
}

/**
 * Server-side apply (KEP-555): the live object with the applied one over it, without fields that the same manager applied
 * before and now leaves out, and with its managedFields; the live object itself if nothing changes. Throws 409 with
 * all conflicts unless forced.
 */
export function apply(application: Application): JsonObject {
  const { kind, live, subresource } = application;
  if (subresource !== 'scale' || live === undefined) return applyObject(application);
  return fromScale(kind, live, applyObject({ ...application, kind: scaleKind, live: toScale(kind, live) }));
}

function applyObject(application: Application): JsonObject {
  const { kind, live, applied, manager } = application;
  checkApplied(kind, applied);
  const { uid, name } = objectAt(applied, 'metadata');
  if (live === undefined && typeof uid === 'string' && uid !== '') {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(kind, String(name), why);
  }
  const managers = managersOf(live) ?? firstManagers(application);
  const result = applyOver(application, managers);
  return manager === 'kubectl' ? annotated(result, applied) : result;
}

/** Fields from before their managers were tracked belong to `before-first-apply`. */
function firstManagers({ kind, live, subresource, now }: Application): Managers {
  if (live === undefined) return new Map();
  const update = { kind, before: undefined, after: live, manager: 'before-first-apply', subresource, now };
  return updated(update, new Map());
}

function applyOver(application: Application, managers: Managers): JsonObject {
  const { kind, live, applied, manager, force, subresource, now } = application;
  const schema = schemaOf(kind);
  const apiVersion = apiVersionOf(kind);
  const before = kind.custom ? (live ?? {}) : withStructs(schema, live ?? {});
  const reset = resetFields(kind, subresource);
  const own: Manager = {
    name: manager,
    operation: 'Apply',
    apiVersion,
    subresource,
    fields: outside(fieldsOf(schema, applied), reset),
  };
  const id = idOf(own);
  const last = managers.get(id);
  const all = new Map([...managers, [id, own]]);
  const merged = merge(schema, before, applied) ?? {};
  const pruned = prune(schema, merged, { last: last?.fields ?? noFields, managers: all });
  const after = isObject(pruned) ? pruned : {};
  const taken = takeOver({ schema, apiVersion, reset, before, after, id }, all);
  const allowed = manager === 'kubectl' && live !== undefined ? lastAppliedFields(kind, live) : noFields;
  const conflicts = force ? [] : taken.conflicts.filter(({ path }) => !hasPath(allowed, path));
  if (conflicts.length > 0) throw conflictProblem(conflicts);
  const isSame = isEqual(before, after);
  const time = isSame ? last?.time : timestamp(now);
  const fields = difference(own.fields, strippedFields);
  const entry = { ...own, ...(time !== undefined && { time }), fields };
  return withManagers(isSame && live !== undefined ? live : after, new Map([...taken.managers, [id, entry]]));
}
