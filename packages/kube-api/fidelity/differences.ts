/** Lines that say what is different, `path: - expected / + got`; none when both are the same. */
export function differences(expected: unknown, got: unknown, path = ''): readonly string[] {
  if (isObject(expected) && isObject(got)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(got)])];
    return keys.flatMap((key) => differences(own(expected, key), own(got, key), path === '' ? key : `${path}.${key}`));
  }
  if (Array.isArray(expected) && Array.isArray(got)) return ofLists(expected, got, path);
  return JSON.stringify(expected) === JSON.stringify(got) ? [] : [`${path}`, ...sides(expected, got)];
}

/** Of two long texts only what comes after the place where they part. */
function sides(expected: unknown, got: unknown): readonly string[] {
  if (typeof expected !== 'string' || typeof got !== 'string') return [`  - ${short(expected)}`, `  + ${short(got)}`];
  let same = 0;
  while (same < expected.length && expected[same] === got[same]) same += 1;
  const from = Math.max(0, same - 60);
  const begun = from === 0 ? '' : '… ';
  return [`  - ${begun}${short(expected.slice(from))}`, `  + ${begun}${short(got.slice(from))}`];
}

function ofLists(expected: readonly unknown[], got: readonly unknown[], path: string): readonly string[] {
  const longest = Math.max(expected.length, got.length);
  return Array.from({ length: longest }, (_, index) => index).flatMap((index) =>
    differences(expected[index], got[index], `${path}[${index}]`),
  );
}

function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function short(value: unknown): string {
  if (value === undefined) return '(absent)';
  const text = JSON.stringify(value);
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
