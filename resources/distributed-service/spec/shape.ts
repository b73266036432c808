type Expected = 'string' | 'number' | 'boolean' | readonly string[];

/** The parts that every decision reads without a check: the CRD requires each of them, or fills it in. */
const parts: readonly (readonly [path: string, expected: Expected])[] = [
  ['serviceType', ['http', 'tcp', 'udp']],
  ['serverProfile', 'string'],
  ['backends.discovery', ['manual', 'auto', 'selector']],
  ['backends.replicas', 'number'],
  ['loadBalancing.algorithm', 'string'],
  ['security.mtls.enabled', 'boolean'],
  ['security.mtls.autoGenerate', 'boolean'],
];

/**
 * A sentence about the first of these parts that a spec lacks; undefined if it has all. An older or laxer CRD lets the API server store
 * such a spec.
 */
export function shapeProblemOf(spec: unknown): string | undefined {
  const lacking = parts.find(([path, expected]) => !fits(valueAt(spec, path), expected));
  if (lacking === undefined) return undefined;
  const [path, expected] = lacking;
  return `spec.${path} must be ${typeof expected === 'string' ? `a ${expected}` : `one of ${expected.join(', ')}`}`;
}

function valueAt(spec: unknown, path: string): unknown {
  return path.split('.').reduce((value: unknown, key) => (isRecord(value) ? value[key] : undefined), spec);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function fits(value: unknown, expected: Expected): boolean {
  return typeof expected === 'string' ? typeof value === expected : expected.some((one) => one === value);
}
