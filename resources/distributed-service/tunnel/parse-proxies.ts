/** What frpc says of the one proxy of a service; nothing but an empty error where it has not logged in. */
interface ProxyWords {
  readonly isRunning: boolean;
  /** The FRP server's own words. */
  readonly error: string;
}

/**
 * The answer of frpc's `/api/status`: `{"tcp":[{"name":"shop.web","status":"start error","err":"port unavailable",…}]}`, or `{}` where
 * it has not logged in (measured on frpc 0.71). Undefined where it has another form.
 */
export function parseProxies(text: string): ProxyWords | undefined {
  const all = objectFrom(text);
  if (all === undefined) return undefined;
  const proxies = Object.values(all).flatMap((list) => (Array.isArray(list) ? (list as readonly unknown[]) : []));
  const of = (proxy: unknown, field: string): string => {
    const value: unknown = typeof proxy === 'object' && proxy !== null ? Reflect.get(proxy, field) : undefined;
    return typeof value === 'string' ? value : '';
  };
  const error = proxies.map((proxy) => of(proxy, 'err')).find((words) => words !== '') ?? '';
  return { isRunning: proxies.some((proxy) => of(proxy, 'status') === 'running'), error: plain(error) };
}

/**
 * What Envoy says of a connection that it could not make: `remote connection failure`, `connection timeout`, or that it knows no
 * address. Undefined where there was a connection: an FRP server does not answer HTTP there, it ends it (measured on Envoy 1.40).
 */
export function wordsOfNoConnection(body: string): string | undefined {
  if (body.startsWith('no healthy upstream')) return 'its name leads to no address';
  const [, words] = /reset reason: ((?:remote |local )?connection (?:failure|timeout)[^\n]*)/.exec(body) ?? [];
  return words === undefined ? undefined : plain(words);
}

/** Fit for one line of a status: the FRP server may write what it likes. */
function plain(words: string): string {
  return words
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .slice(0, 256)
    .trim();
}

function objectFrom(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
