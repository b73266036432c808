import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';

/** Who answered, or why nobody did. */
export type Answered = { readonly by: string } | { readonly failed: string };

export interface Target {
  readonly host: string;
  readonly port: number;
  /** Of an http service: the name that it is asked by. */
  readonly name?: string;
  /** Where it is asked; its root if absent. */
  readonly path?: string;
}

const longestMs = 10_000;

/** Asks once, each time over a connection (or, for udp, from a port) of its own. */
export const askOnce = {
  http: (to: Target): Promise<Answered> => askHttp(to),
  tcp: askTcp,
  udp: askUdp,
} as const;

async function askTcp(to: Target): Promise<Answered> {
  const held = await holdTcp(to);
  if ('failed' in held) return held;
  await hangUp(held.socket);
  return { by: held.by };
}

/** Done when the other end has closed too. Envoy, where it does not run just then, may count the connection a moment longer. */
export async function hangUp(socket: Socket): Promise<void> {
  socket.resume().end();
  if (!socket.destroyed) await once(socket, 'close');
}

/** One request; with an agent its connection may be one that was used before. */
export function askHttp(
  { host, port, name = host, path = '/' }: Target,
  agent: Agent | false = false,
): Promise<Answered> {
  return new Promise((resolve) => {
    const headers = { host: name };
    const sent = request({ host, port, path, agent, headers, timeout: longestMs }, (answer) => {
      let body = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        body += chunk;
      });
      answer.on('error', (error) => resolve({ failed: error.message }));
      answer.on('end', () => {
        const { statusCode } = answer;
        resolve(statusCode === 200 ? { by: body } : { failed: `${String(statusCode)} ${body.slice(0, 60)}` });
      });
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer')));
    sent.on('error', (error: NodeJS.ErrnoException) => resolve({ failed: error.code ?? error.message }));
    sent.end();
  });
}

/** An agent with so many connections that stay open. */
export function keepAlive(connections: number): Agent {
  return new Agent({ keepAlive: true, maxSockets: connections });
}

/** A connection, and who is at its other end. */
export type Held = { readonly by: string; readonly socket: Socket } | { readonly failed: string };

/** Connects and waits for the name. */
export function holdTcp({ host, port }: Target, waitMs = longestMs): Promise<Held> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    let text = '';
    const fail = (failed: string): void => {
      socket.destroy();
      resolve({ failed });
    };
    socket.setTimeout(waitMs, () => fail('no answer'));
    socket.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
    socket.on('close', () => fail('closed'));
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      if (!text.includes('\n')) return;
      socket.off('data', read);
      socket.setTimeout(0);
      resolve({ by: text.trim(), socket });
    };
    socket.on('data', read);
  });
}

/** Whether a held connection still carries bytes there and back. */
export function isAlive(socket: Socket): Promise<boolean> {
  if (socket.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const timer = setTimeout(end, longestMs, false);
    function end(alive: boolean): void {
      clearTimeout(timer);
      socket.off('data', good);
      socket.off('close', bad);
      resolve(alive);
    }
    const good = (): void => end(true);
    const bad = (): void => end(false);
    socket.once('data', good);
    socket.once('close', bad);
    socket.write('are you there?\n');
  });
}

const udpWaitMs = 2000;

/** What came from the same port a moment ago is still the same session, and stays where it is. */
let lastPort = 10_000;

function askUdp({ host, port }: Target): Promise<Answered> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const end = (answered: Answered): void => {
      clearTimeout(timer);
      socket.close();
      resolve(answered);
    };
    const timer = setTimeout(end, udpWaitMs, { failed: 'no answer' });
    socket.on('message', (message) => end({ by: message.toString() }));
    socket.on('error', (error) => end({ failed: error.message }));
    lastPort = lastPort === 60_000 ? 10_001 : lastPort + 1;
    socket.bind(lastPort, host, () => socket.send('who?', port, host));
  });
}
