import type { IncomingMessage } from 'node:http';
import { KnudgeError } from '../domain/errors.ts';

/**
 * The body of a request, at most `limit` bytes, counted as they come. Throws `too-large` at once where the sender
 * declares more, else at the byte that is too many, and `invalid-request` where the sender hangs up. What comes after
 * that is read and thrown away, so that a sender that is still writing gets to see the answer; the server's
 * requestTimeout ends it.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  if (Number(request.headers['content-length']) > limit) {
    request.resume();
    reject(tooLarge(limit));
    return promise;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (chunk: Buffer): void => {
    length += chunk.length;
    if (length <= limit) {
      chunks.push(chunk);
      return;
    }
    chunks.length = 0;
    request.off('data', take).resume();
    reject(tooLarge(limit));
  };
  request.on('data', take);
  request.once('end', () => resolve(joined(chunks)));
  request.once('error', (cause) => reject(hungUp(cause)));
  request.once('close', () => {
    if (!request.complete) reject(hungUp());
  });
  return promise;
}

/** Nearly every event comes in one piece: nothing to copy. */
function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}

function tooLarge(limit: number): KnudgeError {
  return new KnudgeError(
    'too-large',
    `the body is larger than ${limit} bytes: raise BODY_LIMIT_BYTES if such objects are real`,
  );
}

function hungUp(cause?: unknown): KnudgeError {
  return new KnudgeError('invalid-request', 'the sender hung up before the body was complete', { cause });
}
