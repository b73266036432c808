import type { Cause } from '../http/problem.ts';
import type { Json, JsonObject } from '../json.ts';
import { schemaCauses } from '../schema/check.ts';
import type { Kind } from '../schema/kind.ts';
import { listCauses } from '../schema/lists.ts';
import { valueAt } from '../schema/path.ts';
import { hasRules, ruleCauses } from '../schema/rules.ts';
import { invalidValue } from '../schema/texts.ts';
import { givenSchema } from './kinds-of.ts';

/** The write: what it replaces, its subresource, and the faults known already. */
interface Written {
  readonly current: JsonObject | undefined;
  readonly subresource: '' | 'status' | 'scale';
  readonly found: readonly Cause[];
}

const blocking = new Set([
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueRequired',
  'FieldValueNotSupported',
  'FieldValueTypeInvalid',
]);
const unchecked =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** The faults of a custom resource: in its schema, scale and lists; its rules are checked only if there are no others. */
export function customCauses(kind: Kind, next: JsonObject, written: Written): readonly Cause[] {
  const { current, found, subresource } = written;
  const schema = givenSchema(kind);
  const lists = listCauses(schema, next);
  const tolerated = lists.length > 0 && current !== undefined && listCauses(schema, current).length > 0;
  const causes = [
    ...found,
    ...shapeCauses(kind, next, written),
    ...scaleCauses(kind, next, subresource === 'status'),
    ...(tolerated ? [] : lists),
  ];
  if (!hasRules(schema)) return causes;
  if (causes.some(({ reason }) => blocking.has(reason))) return [...causes, invalidValue('<nil>', null, unchecked)];
  return [...causes, ...ruleCauses(schema, next, current)];
}

function shapeCauses(kind: Kind, next: JsonObject, { current, subresource }: Written): readonly Cause[] {
  const schema = givenSchema(kind);
  if (subresource !== 'status') return schemaCauses(schema, { next, old: current });
  const own = schema.properties?.['status'];
  const status: Json | undefined = next['status'];
  if (own === undefined || status === undefined) return [];
  return schemaCauses(own, { next: status, old: current?.['status'], above: 'status' });
}

/** The fields behind the scale subresource must be numbers of replicas. */
function scaleCauses({ scale }: Kind, object: JsonObject, statusOnly: boolean): readonly Cause[] {
  if (scale === undefined) return [];
  return [...(statusOnly ? [] : [scale.spec]), scale.status].flatMap((path) => {
    const value = valueAt(object, path.split('.').slice(1));
    const negative = typeof value === 'number' && value < 0;
    return negative ? [invalidValue(path, value, 'should be a non-negative integer')] : [];
  });
}
