import type { Outgoing } from '../domain/change.ts';

/** An event in binary mode: what a request or an answer carries. */
export interface Encoded {
  /** Names in lower case; `content-type` only where there is data. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty where there is no data. */
  readonly body: string;
}

/**
 * What CloudEvents' HTTP binding 1.0, section 3.1.3.2, does not let stand in a header: all but printable ASCII, and the
 * space, the quote and the percent sign.
 */
const encodedInHeaders = /[^\x21\x23\x24\x26-\x7e]+/gu;

/** An event of ours in binary mode, its data as JSON. */
export function encode({ id, type, source, time, extensions, data }: Outgoing): Encoded {
  const attributes = { ...extensions, specversion: '1.0', id, type, source, time };
  const headers = Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [`ce-${name}`, encodeHeaderValue(value)]),
  );
  if (data === undefined) return { headers, body: '' };
  return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(data) };
}

/** The value of an attribute as a header carries it. Half of a surrogate pair is no character and becomes U+FFFD. */
export function encodeHeaderValue(value: string): string {
  return value.replace(encodedInHeaders, (run) =>
    Buffer.from(run, 'utf8')
      .toString('hex')
      .replace(/../g, (byte) => `%${byte.toUpperCase()}`),
  );
}
