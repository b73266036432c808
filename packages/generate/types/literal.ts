const width = 120;

/** A value of JSON as TypeScript, broken into lines as the formatter breaks them. `before` is what stands before it in its line. */
export function literal(value: unknown, before: string, indent = ''): string {
  const short = inLine(value);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject || before.length + short.length < width) return short;
  const deeper = `${indent}  `;
  const lines = Object.entries(value).map(([key, field]) => {
    const start = `${deeper}${nameOf(key)}: `;
    return `${start}${literal(field, start, deeper)},\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

function inLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inLine).join(', ')}]`;
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([key, field]) => `${nameOf(key)}: ${inLine(field)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function nameOf(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : `'${key}'`;
}
