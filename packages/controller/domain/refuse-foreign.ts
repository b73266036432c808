import { KnudgeError } from './errors.ts';

/** What is looked at of a request; the names of headers in lower case. */
export interface Asking {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** This machine by any of its names, at any port. */
const ours = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/**
 * Why a server that is for this machine alone refuses a request; nothing where it does not. A page in a browser here
 * comes from this machine too. What it cannot choose is what its browser says of it: the Host, which keeps the name of a
 * site that was bound anew to this machine, its Origin, and Sec-Fetch-Site.
 */
export function refuseForeign({ method = '', headers }: Asking): KnudgeError | undefined {
  const { host, origin, 'sec-fetch-site': site } = headers;
  if (typeof host !== 'string' || !ours.test(host))
    return refusal('the Host is not a name of this machine: ask as localhost or 127.0.0.1');
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
    return refusal('the Origin is another one: only pages of this address may ask');
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return refusal('Sec-Fetch-Site is that of another origin: only pages of this address may ask');
  const isFromBrowser = origin !== undefined || site !== undefined;
  // Without one a page need not ask first.
  if (isFromBrowser && ['POST', 'PUT', 'PATCH'].includes(method) && !headers['content-type'])
    return new KnudgeError('unsupported-media-type', 'a browser has to say what it sends: give a Content-Type');
  return undefined;
}

function refusal(why: string): KnudgeError {
  return new KnudgeError('sender-not-allowed', why);
}
