/** Where a person is in the console: the path, as its parts, and what stands behind the question mark. */
export interface Route {
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

/** Reads the fragment of the address: `#/events/129?diff=all`. */
export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  return { parts: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

/** The fragment of a place, such as `hashOf(['events', '129'])`; empty values of the query are left out. */
export function hashOf(parts: readonly (string | number)[], query: Readonly<Record<string, string>> = {}): string {
  const filled = Object.entries(query).filter(([, value]) => value !== '');
  const behind = filled.length === 0 ? '' : `?${new URLSearchParams(filled).toString()}`;
  return `#/${parts.map((part) => encodeURIComponent(part)).join('/')}${behind}`;
}

/** The token in a fragment such as `#token=…&to=/events/129`, and the fragment to go on with. */
export function tokenIn(hash: string): { readonly token: string; readonly rest: string } | undefined {
  if (!hash.startsWith('#token=')) return undefined;
  const given = new URLSearchParams(hash.slice(1));
  return { token: given.get('token') ?? '', rest: `#${given.get('to') ?? '/'}` };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
