import type { Cause } from '../http/problem.ts';
import type { Json } from '../json.ts';
import { isEqual } from '../json.ts';

/** The words of k8s.io/apimachinery's field errors. */
export function required(field: string, why = ''): Cause {
  return { reason: 'FieldValueRequired', message: `Required value${why === '' ? '' : `: ${why}`}`, field };
}

export function invalidValue(field: string, value: Json, why: string): Cause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${shown(value)}: ${why}`, field };
}

/** For objects and lists, which the server does not repeat. */
export function invalidWhole(field: string, why: string): Cause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${why}`, field };
}

export function typeInvalid(field: string, value: Json, why: string): Cause {
  return { reason: 'FieldValueTypeInvalid', message: `Invalid value: ${shown(value)}: ${why}`, field };
}

export function notSupported(field: string, value: Json, supported: readonly Json[]): Cause {
  const values = supported.map((item) => JSON.stringify(typeof item === 'string' ? item : JSON.stringify(item)));
  const message = `Unsupported value: ${shown(value)}: supported values: ${values.join(', ')}`;
  return { reason: 'FieldValueNotSupported', message, field };
}

export function forbiddenField(field: string, why: string): Cause {
  return { reason: 'FieldValueForbidden', message: `Forbidden${why === '' ? '' : `: ${why}`}`, field };
}

export function duplicate(field: string, value: Json): Cause {
  return { reason: 'FieldValueDuplicate', message: `Duplicate value: ${shown(value)}`, field };
}

export function tooLong(field: string, max: number): Cause {
  return {
    reason: 'FieldValueTooLong',
    message: `Too long: may not be more than ${max} byte${max === 1 ? '' : 's'}`,
    field,
  };
}

export function tooMany(field: string, count: number, max: number): Cause {
  return {
    reason: 'FieldValueTooMany',
    message: `Too many: ${count}: must have at most ${max} item${max === 1 ? '' : 's'}`,
    field,
  };
}

export function immutable(field: string, next: Json | undefined, current: Json | undefined): readonly Cause[] {
  return isEqual(next, current) ? [] : [invalidValue(field, next ?? null, 'field is immutable')];
}

/** A text as Go quotes it; other values in JSON. */
function shown(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return JSON.stringify(value).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}
