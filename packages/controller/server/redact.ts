const redacted = '[redacted]';

/** Fields whose value is nobody's business, whatever object they are in. Lower case. */
const secretFields = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'token',
  'password',
  'privatekey',
]);

/** kubectl keeps the whole object here, a Secret's data with it. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Objects of the API server nest a dozen deep; a cycle ends here. */
const deepest = 32;

/**
 * The same value without secrets: the data of Secrets, tokens, authorization headers, private keys. What holds none
 * is given back as it is, without a copy. Only plain objects and lists are looked into.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return '[too deep]';
  if (Array.isArray(value)) return redactList(value, depth);
  return isPlain(value) ? redactObject(value, depth) : value;
}

/** The same text without bearer tokens, and nothing at all of a private key. */
export function redactText(text: string): string {
  if (text.includes('PRIVATE KEY-----')) return redacted;
  return text.includes('earer ') ? text.replace(/\b(bearer) +[^\s"',]+/gi, `$1 ${redacted}`) : text;
}

function redactList(list: readonly unknown[], depth: number): readonly unknown[] {
  const copy = list.map((item) => redact(item, depth + 1));
  return copy.some((item, index) => item !== list[index]) ? copy : list;
}

function isPlain(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function redactObject(object: Record<string, unknown>, depth: number): Record<string, unknown> {
  const isSecret = object['kind'] === 'Secret';
  let copy: Record<string, unknown> | undefined;
  for (const field in object) {
    const before = object[field];
    const after = redactField(field, before, { isSecret, depth });
    if (after === before) continue;
    copy ??= { ...object };
    copy[field] = after;
  }
  return copy ?? object;
}

function redactField(
  field: string,
  value: unknown,
  { isSecret, depth }: { isSecret: boolean; depth: number },
): unknown {
  if (value === undefined || value === null) return value;
  if (secretFields.has(field.toLowerCase()) && typeof value !== 'object') return redacted;
  if (isSecret && (field === 'data' || field === 'stringData')) return hideValues(value);
  if (field === lastApplied && typeof value === 'string' && value.includes('"Secret"')) return redacted;
  return redact(value, depth + 1);
}

/** The names of the keys stay: they say what a Secret is for. */
function hideValues(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return redacted;
  return Object.fromEntries(Object.keys(data).map((key) => [key, redacted]));
}
