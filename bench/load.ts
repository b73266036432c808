import { connect, type Socket } from 'node:net';

export interface Load {
  readonly port: number;
  /** One for each connection; each is sent again as soon as it is answered. */
  readonly requests: readonly Buffer[];
  /** Answers in all. */
  readonly total: number;
  /** What every answer must contain. */
  readonly expected: string;
}

/** Sends so many requests over keep-alive connections. Throws where an answer is not as expected or fails to come. */
export async function load({ port, requests, total, expected }: Load): Promise<void> {
  let left = total;
  const isMore = (): boolean => {
    left -= 1;
    return left >= 0;
  };
  await Promise.all(requests.map((request) => repeat(connect(port, '127.0.0.1'), { request, expected, isMore })));
}

interface Repeated {
  readonly request: Buffer;
  readonly expected: string;
  readonly isMore: () => boolean;
}

function repeat(socket: Socket, { request, expected, isMore }: Repeated): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let answer = '';
  const next = (): void => {
    if (isMore()) socket.write(request);
    else resolve();
  };
  socket.setNoDelay(true);
  socket.setTimeout(20_000, () => reject(new Error('no answer within 20 s')));
  socket.on('connect', next);
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('the server has closed its connection')));
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1');
    if (!answer.endsWith('\r\n\r\n')) return;
    if (!answer.includes(expected)) reject(new Error(`${JSON.stringify(answer)} is not "${expected}"`));
    answer = '';
    next();
  });
  return promise.finally(() => socket.destroy());
}
