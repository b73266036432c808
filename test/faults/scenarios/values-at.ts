/** Every value at a field as the rows name it: `backends.endpoints[].host`, `matchLabels{}`. */
export function valuesAt(spec: unknown, field: string): readonly unknown[] {
  const steps = field.split('.').flatMap((step) => {
    const [, key = '', rest = ''] = /^(\w+)(.*)$/.exec(step) ?? [];
    return rest === '' ? [key] : [key, rest];
  });
  return steps.reduce<readonly unknown[]>((values, step) => values.flatMap((value) => stepped(value, step)), [spec]);
}

function stepped(value: unknown, step: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (step === '[]' || step === '{}') return Object.values(value);
  const found: unknown = new Map(Object.entries(value)).get(step);
  return found === undefined ? [] : [found];
}
