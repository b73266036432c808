/** Names and what they stand for in the steps of one case. */
export type Values = Map<string, string>;

/** The same value with each `{name}` that stands for something replaced, in keys too. */
export function filled(value: unknown, values: Values): unknown {
  if (typeof value === 'string') return filledText(value, values);
  if (Array.isArray(value)) return value.map((item) => filled(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [filledText(key, values), filled(item, values)]),
  );
}

export function filledText(text: string, values: Values): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole);
}
