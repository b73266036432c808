interface Parsed {
  readonly status: number;
  readonly head: string;
  readonly body: string;
  /** Bytes of the whole answer. */
  readonly length: number;
}

const end = Buffer.from('\r\n\r\n');
const passing = Buffer.from('HTTP/1.1 100');

const lastChunk = Buffer.from('0\r\n\r\n');

/** The first whole answer in these bytes; undefined where it is not whole yet. Chunks are left as they are. */
export function parseAnswer(bytes: Buffer): Parsed | undefined {
  const headEnd = bytes.indexOf(end);
  if (headEnd < 0) return undefined;
  const start = headEnd + end.length;
  if (bytes.subarray(0, passing.length).equals(passing)) {
    const rest = parseAnswer(bytes.subarray(start));
    return rest && { ...rest, length: rest.length + start };
  }
  const head = bytes.toString('latin1', 0, headEnd).toLowerCase();
  const status = Number(head.slice(9, 12));
  const length = endOf(bytes, start, head);
  return length === undefined || bytes.length < length
    ? undefined
    : { status, head, body: bytes.toString('utf8', start, length), length };
}

function endOf(bytes: Buffer, start: number, head: string): number | undefined {
  if (head.includes('\r\ntransfer-encoding: chunked')) {
    const last = bytes.indexOf(lastChunk, start);
    return last < 0 ? undefined : last + lastChunk.length;
  }
  // Without a length only an answer without a body has an end that can be seen.
  return start + Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
}
