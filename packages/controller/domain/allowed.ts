/** Which namespaces may have what of a server: for each its own line, or that of all others. */
export type Allowed = ReadonlyMap<string, readonly string[]>;

/** In the place of a namespace: all that have no line of their own. */
const others = '*';

/**
 * Reads lines of `<namespace>: <value>, <value>`, where a namespace may be `*` for all that have no line of their own. Undefined where
 * a line is not of that form, or its values do not fit.
 */
export function parseAllowed(text: string, fits: (value: string) => boolean): Allowed | undefined {
  const allowed = new Map<string, readonly string[]>();
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [, namespace = '', list = ''] =
      /^\s*([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?|\*)\s*:(.*)$/.exec(line)?.filter((_, at) => at !== 2) ?? [];
    const values = list.split(',').map((value) => value.trim());
    if (namespace === '' || allowed.has(namespace) || !values.every(fits)) return undefined;
    allowed.set(namespace, values);
  }
  return allowed;
}

/** A domain, or a wildcard for all below one. */
export function isDomainPattern(value: string): boolean {
  return (
    /^(\*\.)?([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\.)*[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(value) &&
    value.length <= 253
  );
}

/** A port, or two with a dash between: the first and the last of several. */
export function isPortRange(value: string): boolean {
  const [first = 0, last = first, ...rest] = /^[0-9-]+$/.test(value) ? value.split('-').map(Number) : [];
  return rest.length === 0 && first >= 1 && first <= last && last <= 65535;
}

/** Whether a namespace may have a domain; a wildcard only below a wildcard of the same domain or a shorter one. */
export function allowsDomain(allowed: Allowed | undefined, namespace: string, domain: string): boolean {
  return valuesFor(allowed, namespace)?.some((pattern) => domain === pattern || isBelow(domain, pattern)) ?? true;
}

export function allowsPort(allowed: Allowed | undefined, namespace: string, port: number): boolean {
  return (
    valuesFor(allowed, namespace)?.some((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return first <= port && port <= last;
    }) ?? true
  );
}

/** Undefined where all may have all. */
function valuesFor(allowed: Allowed | undefined, namespace: string): readonly string[] | undefined {
  return allowed && (allowed.get(namespace) ?? allowed.get(others) ?? []);
}

function isBelow(domain: string, pattern: string): boolean {
  return pattern.startsWith('*.') && domain.endsWith(pattern.slice(1));
}
