import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { startApp } from '../../../controller/test/server/start.ts';
import { createLogApp } from '../../api/app.ts';
import type { LogApiParts } from '../../api/route.ts';

/** A log behind the server of the functions, as it is asked in a mesh, or with `check` in a cluster; not yet listening. */
async function logServer(parts: LogApiParts): Promise<{ readonly app: Server; readonly drain: { begun: boolean } }> {
  const reaction = { to: 'paths', events: new Map(), ask: await createLogApp(parts) } as const;
  return startApp({ reaction, env: { LOG_LEVEL: 'silent' } });
}

/** The same, listening; `leave` is what a process does that is to end. */
export async function serveLog(parts: LogApiParts): Promise<{ readonly url: string; leave(): void; close(): void }> {
  const { app, drain } = await logServer(parts);
  app.listen(0, '127.0.0.1');
  await once(app, 'listening');
  return {
    url: `http://127.0.0.1:${(app.address() as AddressInfo).port}`,
    leave: () => {
      drain.begun = true;
    },
    close: () => {
      app.close();
      app.closeAllConnections();
    },
  };
}

export interface Asking {
  readonly method?: 'GET' | 'POST' | 'HEAD' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** That of an error. */
  readonly code: string | undefined;
}

/** Asks a log over HTTP; a POST says that it is JSON, if nothing else is said. */
export async function askLog(url: string, { method = 'GET', headers, body = '' }: Asking, parts: LogApiParts) {
  const all = { ...(method === 'POST' && { 'content-type': 'application/json' }), ...headers };
  const sent = request((await logServer(parts)).app)[method.toLowerCase() as 'get'](url);
  const ready = sent.set(all).buffer(true).parse(asText);
  const got = await (body === '' ? ready : ready.serialize(String).send(body));
  const text = typeof got.body === 'string' ? got.body : '';
  const code = got.status < 400 || text === '' ? undefined : (JSON.parse(text) as { code: string }).code;
  return { status: got.status, headers: got.headers, body: text, code } satisfies Answered;
}

function asText(response: unknown, done: (error: Error | null, body: string) => void): void {
  const chunks: Buffer[] = [];
  (response as IncomingMessage)
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .on('end', () => done(null, Buffer.concat(chunks).toString()));
}
