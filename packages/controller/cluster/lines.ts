import { KnudgeError } from '../domain/errors.ts';

export interface LineLimits {
  /** Bytes of the longest line. */
  readonly maxBytes: number;
  /** Milliseconds without a byte after which the sender counts as dead. */
  readonly quietMs: number;
}

const newline = 0x0a;

/**
 * The lines of a stream, without empty ones. Throws `too-large` at a line over the limit and `unavailable` if nothing
 * came for too long: a connection can die silently. Time in which the caller does not ask for the next line does not count.
 */
export async function* linesOf(
  stream: AsyncIterable<Buffer>,
  { maxBytes, quietMs }: LineLimits,
): AsyncGenerator<string, void> {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Buffer[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await within(chunks.next(), quietMs);
    if (done) return;
    let start = 0;
    for (let end = value.indexOf(newline); end >= 0; end = value.indexOf(newline, start)) {
      const line = Buffer.concat([...rest, value.subarray(start, end)]);
      if (line.length > maxBytes) throw tooLong(maxBytes);
      [rest, length, start] = [[], 0, end + 1];
      if (line.length > 0) yield line.toString();
    }
    rest.push(value.subarray(start));
    length += value.length - start;
    if (length > maxBytes) throw tooLong(maxBytes);
  }
}

/** The result of the work, or `unavailable` after this time; the work goes on. */
export async function within<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = () => reject(new KnudgeError('unavailable', `nothing came for ${Math.ceil(ms / 1000)} s`));
  const timer = setTimeout(late, ms);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

function tooLong(maxBytes: number): KnudgeError {
  return new KnudgeError('too-large', `a line is longer than ${maxBytes} bytes`);
}
