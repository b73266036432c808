import type { Environment } from '@marcbachmann/cel-js';
import type { Register } from './cel-native.ts';
import { nativeType } from './cel-native.ts';

interface Url {
  readonly href: string;
}

const type = 'kubernetes.URL';
/** Stands for the scheme of an absolute path, which Kubernetes accepts as a URL. */
const none = 'relative:';

const parts: Readonly<Record<string, (url: URL) => string>> = {
  getScheme: ({ protocol }) => (protocol === none ? '' : protocol.slice(0, -1)),
  getHost: ({ host }) => host,
  getHostname: ({ hostname }) => hostname.replace(/^\[|\]$/g, ''),
  getPort: ({ port }) => port,
  getEscapedPath: ({ pathname }) => pathname,
};

/** url() and its methods. */
export function registerUrls(env: Environment, register: Register): void {
  const make = nativeType<Url>(env, type, {});
  register('isURL(string): bool', isUrl);
  register(`url(string): ${type}`, (text: string) => {
    if (isUrl(text)) return make({ href: new URL(text, `${none}/`).href });
    throw new Error(
      `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
    );
  });
  for (const [name, read] of Object.entries(parts)) {
    register(`${type}.${name}(): string`, ({ href }: Url) => read(new URL(href)));
  }
  register(`${type}.getQuery(): map<string, list<string>>`, ({ href }: Url) => {
    const query = new URL(href).searchParams;
    return new Map([...query.keys()].map((key) => [key, query.getAll(key)]));
  });
}

function isUrl(text: string): boolean {
  return URL.canParse(text) || (text.startsWith('/') && URL.canParse(text, `${none}/`));
}
