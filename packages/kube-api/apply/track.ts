import { timestamp } from '../http/request.ts';
import { isArray, isEqual, type JsonObject, objectAt } from '../json.ts';
import { apiVersionOf, type Kind } from '../schema/kind.ts';
import { capUpdates } from './cap.ts';
import { difference, isEmpty, noFields, union } from './field-set.ts';
import { idOf, type Managers, managersOf, withManagers } from './managers.ts';
import { resetFields, strippedFields } from './reset.ts';
import { fromScale, scaleKind, toScale } from './scale.ts';
import { schemaOf } from './shape.ts';
import { takeOver } from './update.ts';
import { emptyFields, withStructs } from './zero.ts';

export interface Update {
  readonly kind: Kind;
  /** Undefined for a create. */
  readonly before: JsonObject | undefined;
  /** With defaults, before admission and before a subresource resets what it does not write. */
  readonly after: JsonObject;
  readonly manager: string;
  readonly subresource: string;
  /** Milliseconds. */
  readonly now: number;
}

/**
 * `after` with the managedFields of a POST, PUT or patch other than apply: the writer owns what it changed, others lose
 * that and what it removed. An object whose managedFields were emptied stays without them until the next apply.
 */
export function trackUpdate(update: Update): JsonObject {
  const { kind, before, after, subresource } = update;
  if (subresource !== 'scale' || before === undefined) return tracked(update);
  const [old, now] = [toScale(kind, before), toScale(kind, after)];
  const scale = tracked({ ...update, kind: scaleKind, before: old, after: now });
  return fromScale(kind, withManagers(after, managersOf(before) ?? new Map()), scale);
}

function tracked(update: Update): JsonObject {
  const { before, after, subresource } = update;
  const managers = subresource === '' ? givenManagers(update) : managersOf(before);
  const isUntracked = managers === undefined && objectAt(before, 'metadata')['uid'] !== undefined;
  return withManagers(after, isUntracked ? new Map() : updated(update, managers ?? new Map()));
}

/** The managers after an update, the ten newest updates at the most. */
export function updated(update: Update, managers: Managers): Managers {
  const { kind, before, after, manager, subresource, now } = update;
  const schema = schemaOf(kind);
  const apiVersion = apiVersionOf(kind);
  const whole = (object: JsonObject) => (kind.custom ? object : withStructs(schema, object));
  const objects = { before: whole({ ...emptyFields(kind.custom ? {} : after), ...before }), after: whole(after) };
  const write = { schema, apiVersion, reset: resetFields(kind, subresource), ...objects, id: '' };
  const { changes, managers: others } = takeOver(write, managers);
  const fields = difference(union(changes.added, changes.modified), strippedFields);
  if (isEmpty(fields)) return others;
  const entry = { name: manager === '' ? 'unknown' : manager, operation: 'Update', apiVersion, subresource } as const;
  const known = others.get(idOf(entry))?.fields ?? noFields;
  const own = { ...entry, time: timestamp(now), fields: union(fields, known) };
  return capUpdates(new Map([...others, [idOf(entry), own]]));
}

/** A client may write managedFields; `[]` and `[{}]` empty them, an invalid value is ignored. */
function givenManagers({ kind, before, after }: Update): Managers | undefined {
  const given = objectAt(after, 'metadata')['managedFields'];
  // Of a custom resource an empty list is lost when it is decoded.
  const isNone = isArray(given) && given.length === 0 && !kind.custom;
  if (isNone || isEqual(given, [{}])) return undefined;
  return managersOf(after) ?? managersOf(before);
}
