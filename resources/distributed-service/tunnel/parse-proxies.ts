/** The state of the one proxy of a service, by frpc. It does not run and has no error while frpc has not logged in. */
interface ProxyWords {
  readonly isRunning: boolean;
  /** The FRP server's own words. */
  readonly error: string;
}

/**
 * The answer of frpc's `/api/status`: `{"tcp":[{"name":"shop.web","status":"start error","err":"port unavailable",…}]}`, or `{}` where
 * it has not logged in (measured on frpc 0.71). Undefined for another form.
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
 * Envoy's words if it could not connect: `remote connection failure`, `connection timeout`, or that it knows no address. Undefined if it
 * could: an FRP server does not answer HTTP there, but ends the connection (measured on Envoy 1.40).
 */
export function wordsOfNoConnection(body: string): string | undefined {
  if (body.startsWith('no healthy upstream')) return 'its name leads to no address';
  const [, words] = /reset reason: ((?:remote |local )?connection (?:failure|timeout)[^\n]*)/.exec(body) ?? [];
  return words === undefined ? undefined : plain(words);
}

/** Makes words fit for one line of a status, because the FRP server may have written anything. */
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
