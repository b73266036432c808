import { connect, type Socket } from 'node:net';

export interface Load {
  /** This machine if absent. */
  readonly host?: string;
  readonly port: number;
  /** One for each connection; each is sent again as soon as it is answered. */
  readonly requests: readonly Buffer[];
  /** The number of answers in all. */
  readonly total: number;
  /** What every answer must contain. */
  readonly expected: string;
  /** Gets the milliseconds of each answer. */
  readonly took?: (ms: number) => void;
}

/** Sends this many requests over keep-alive connections. Throws if an answer is not as expected or fails to come. */
export async function load({
  host = '127.0.0.1',
  port,
  requests,
  total,
  expected,
  took = () => undefined,
}: Load): Promise<void> {
  let left = total;
  const isMore = (): boolean => {
    left -= 1;
    return left >= 0;
  };
  await Promise.all(
    requests.map((request) => repeat(connect({ host, port, noDelay: true }), { request, expected, isMore, took })),
  );
}

interface Repeated extends Required<Pick<Load, 'expected' | 'took'>> {
  readonly request: Buffer;
  readonly isMore: () => boolean;
}

function repeat(socket: Socket, { request, expected, isMore, took }: Repeated): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let answer = '';
  let sent = 0;
  const next = (): void => {
    if (!isMore()) {
      resolve();
      return;
    }
    sent = performance.now();
    socket.write(request);
  };
  socket.setTimeout(20_000, () => reject(new Error('no answer within 20 s')));
  socket.on('connect', next);
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('the server has closed its connection')));
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1');
    if (!answer.endsWith('\r\n\r\n')) return;
    if (!answer.includes(expected)) reject(new Error(`${JSON.stringify(answer)} is not "${expected}"`));
    took(performance.now() - sent);
    answer = '';
    next();
  });
  return promise.finally(() => socket.destroy());
}
