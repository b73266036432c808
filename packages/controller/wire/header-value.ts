/** One or more percent-encoded bytes. */
const encodedBytes = /(?:%[0-9a-f]{2})+/gi;

/**
 * The value of an attribute as a header carries it: quotes taken off, then one round of percent-decoding
 * (CloudEvents HTTP binding 1.0, section 3.1.3.2). Never fails: a `%` that encodes nothing stays as it is, bytes
 * that are no UTF-8 become U+FFFD.
 */
export function decodeHeaderValue(value: string): string {
  const plain = value.charCodeAt(0) === quote ? unquoted(value) : value;
  if (!plain.includes('%')) return plain;
  return plain.replace(encodedBytes, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

const quote = 0x22;

function unquoted(value: string): string {
  if (value.length < 2 || !value.endsWith('"')) return value;
  return value.slice(1, -1).replace(/\\(.)/g, '$1');
}
