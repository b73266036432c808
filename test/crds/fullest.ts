import type { Schema } from './read.ts';

/** The largest value that a schema takes: each field there, each list and map full, each text as long as it may be. */
export function fullest(schema: Schema, index = 0): unknown {
  const { type, properties, additionalProperties, items, maxItems = 0, maxProperties = 0 } = schema;
  const times = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
  if (schema.enum !== undefined) return schema.enum.at(-1);
  if (schema['x-kubernetes-int-or-string'] === true) return longestText(schema, index);
  switch (type) {
    case 'object':
      if (additionalProperties !== undefined) {
        const value = fullest(additionalProperties);
        return Object.fromEntries(times(maxProperties).map((at) => [longestKey(at), value]));
      }
      return Object.fromEntries(Object.entries(properties ?? {}).map(([name, field]) => [name, fullest(field, index)]));
    case 'array':
      return times(maxItems).map((at) => fullest(items ?? {}, at));
    case 'string':
      return longestText(schema, index);
    case 'integer':
      return schema.maximum;
    default:
      return true;
  }
}

function longestKey(index: number): string {
  return `${word(253, index)}/${word(63, index)}`;
}

/** The longest text of each form that a pattern may want; the first one that fits is taken. */
function longestText({ maxLength = 0, pattern = '' }: Schema, index: number): string {
  const part = `${'a'.repeat(60)}.`;
  const end = `b${word(maxLength % part.length, index)}`;
  const domain = `${part.repeat(Math.floor(Math.max(0, maxLength - end.length) / part.length))}${end}`;
  const forms = [word(maxLength, index), `/${word(maxLength - 1, index)}`, longestKey(index), domain];
  const fits = forms.find((form) => form.length <= maxLength && new RegExp(pattern).test(form));
  return fits ?? word(Math.min(maxLength, 1), index);
}

function word(length: number, index: number): string {
  const digits = String(index);
  return length <= digits.length ? 'a'.repeat(length) : `${'a'.repeat(length - digits.length)}${digits}`;
}
