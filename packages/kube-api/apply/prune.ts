import type { Json } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import { difference, type FieldSet, intersection, isEmpty, noFields, union } from './field-set.ts';
import { fieldsOf } from './fields-of.ts';
import type { Managers } from './managers.ts';
import { remove, withNamedParents } from './remove.ts';

/**
 * Removes from a merged object the fields that its manager applied last time, applies no longer, and no other manager owns.
 * A list or map that contains something of another owner stays, and so do fields without an owner.
 */
export function prune(schema: Schema, merged: Json, { last, managers }: { last: FieldSet; managers: Managers }): Json {
  const owned = [...managers.values()].reduce((set, { fields }) => union(set, fields), noFields);
  if (isEmpty(difference(last, owned))) return merged;
  const closed = (set: FieldSet) => withNamedParents(schema, set);
  const lastFields = closed(last);
  const all = closed(fieldsOf(schema, merged));
  const without = remove(schema, merged, lastFields);
  const keep = union(closed(fieldsOf(schema, without)), closed(owned));
  const withOwned = remove(schema, merged, difference(all, keep));
  const gone = difference(all, closed(fieldsOf(schema, withOwned)));
  return remove(schema, merged, intersection(gone, lastFields));
}
