/** A value of JSON as text that is the same for equal values: keys sorted, undefined and null left out (rule R4). */
export function canonical(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object') return JSON.stringify(asStored(value));
  const fields: Readonly<Record<string, unknown>> = { ...value };
  let text = '';
  // Every event comes here: sorting names alone takes half as long as sorting pairs.
  for (const key of Object.keys(fields).sort()) {
    const field = fields[key];
    if (field === undefined || field === null) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonical(field)}`;
  }
  return `{${text}}`;
}

/** A value as the API server stores it: a text with U+FFFD for half of a surrogate pair, where it was cut. */
export function asStored(value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
