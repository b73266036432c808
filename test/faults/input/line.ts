import { connect, type Socket } from 'node:net';
import { parseAnswer } from './parse-answer.ts';

/** An answer as it came over the wire. */
export interface Heard {
  readonly status: number;
  /** The status line and the headers, in lower case. */
  readonly head: string;
  readonly body: string;
  /** From the first byte sent to the last byte of the answer, connecting not counted. */
  readonly ms: number;
}

export interface Line {
  /** Sends bytes as they are and gives the one answer to them. With `ends` nothing follows. Throws where none comes, or more than one. */
  ask(bytes: Buffer, ends?: true): Promise<Heard>;
  close(): void;
}

/** Longer than the server waits for the rest of a request. */
const longestMs = 25_000;

interface Waiting {
  readonly began: number;
  readonly resolve: (heard: Heard) => void;
  readonly reject: (error: Error) => void;
}

/** A raw connection to a server on this machine, kept alive; made anew where the server closes it. */
export function openLine(port: number): Line {
  let socket: Socket | undefined;
  let waiting: Waiting | undefined;
  let received: Buffer = Buffer.alloc(0);

  const drop = (): void => {
    // A reset leaves no port waiting: a hundred thousand connections would use all of them up.
    socket?.resetAndDestroy();
    socket = undefined;
    received = Buffer.alloc(0);
  };
  const fail = (why: string): void => {
    const asked = waiting;
    waiting = undefined;
    drop();
    asked?.reject(new Error(why));
  };
  const take = (chunk: Buffer): void => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const answer = parseAnswer(received);
    if (answer !== undefined) give(answer);
  };
  const give = (answer: NonNullable<ReturnType<typeof parseAnswer>>): void => {
    if (waiting === undefined) {
      fail('an answer came that nobody had asked for');
      return;
    }
    const { began, resolve, reject } = waiting;
    const { length, ...heard } = answer;
    const more = received.length - length;
    waiting = undefined;
    received = Buffer.alloc(0);
    if (heard.head.includes('\r\nconnection: close')) drop();
    if (more > 0) reject(new Error(`${more} bytes came after the answer: ${heard.head}`));
    else resolve({ ...heard, ms: performance.now() - began });
  };
  const dial = async (): Promise<Socket> => {
    const fresh = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    fresh.once('connect', () => resolve(undefined)).once('error', reject);
    await promise;
    const isOurs = (): boolean => socket === fresh;
    fresh.on('data', (chunk: Buffer) => isOurs() && take(chunk));
    fresh.on('error', (error) => isOurs() && fail(`the connection broke: ${error.message}`));
    fresh.on('close', () => isOurs() && fail('the connection was closed without an answer'));
    fresh.setTimeout(longestMs, () => isOurs() && fail(`no answer within ${longestMs / 1000} s`));
    return fresh;
  };
  return {
    ask: async (bytes, ends) => {
      if (waiting !== undefined) throw new Error('one request at a time: its time is to be its own');
      socket ??= await dial();
      const { promise, resolve, reject } = Promise.withResolvers<Heard>();
      waiting = { began: performance.now(), resolve, reject };
      if (ends) socket.end(bytes);
      else socket.write(bytes);
      return promise;
    },
    close: drop,
  };
}
