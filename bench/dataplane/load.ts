import { connect } from 'node:net';

export interface Target {
  readonly host: string;
  readonly port: number;
  /** The name that the server knows it by. */
  readonly name: string;
}

export interface Measured {
  readonly perSecond: number;
  /** Of the time from a request to its whole answer, in milliseconds: the 99th of a hundred. */
  readonly p99: number;
}

const connections = 32;

/** Sends so many requests over 32 keep-alive connections, each as soon as the last is answered. Throws where one fails. */
export async function load(to: Target, total: number): Promise<Measured> {
  const times: number[] = [];
  let left = total;
  const isMore = (): boolean => {
    left -= 1;
    return left >= 0;
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, () => repeat(to, { isMore, times })));
  const seconds = (performance.now() - began) / 1000;
  const sorted = times.toSorted((a, b) => a - b);
  return { perSecond: total / seconds, p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN };
}

interface Repeated {
  readonly isMore: () => boolean;
  readonly times: number[];
}

function repeat({ host, port, name }: Target, { isMore, times }: Repeated): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host, port, noDelay: true });
  const request = Buffer.from(`GET / HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
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
  socket.setTimeout(20_000, () =>
    reject(new Error(`no whole answer of ${name} within 20 s: ${JSON.stringify(answer)}`)),
  );
  socket.on('connect', next);
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('the server has closed its connection')));
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1');
    // The backends answer without a body.
    if (!answer.endsWith('\r\n\r\n')) return;
    if (!answer.startsWith('HTTP/1.1 204')) reject(new Error(answer));
    times.push(performance.now() - sent);
    answer = '';
    next();
  });
  return promise.finally(() => socket.destroy());
}
