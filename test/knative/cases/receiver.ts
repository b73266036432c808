import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './case.ts';

/** A request that the receiver got for a case. */
export interface Got {
  readonly case: string;
  readonly name: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Milliseconds of a clock that never goes back. */
  readonly at: number;
}

export interface Receiver {
  readonly url: string;
  /** An address of the same machine at which nobody listens. */
  readonly nobody: string;
  /** How it answers the requests of a case; what it got for that case before is forgotten. */
  expect(id: string, answer: (got: Got, before: number) => Answer): void;
  /** What it has got for a case, in this order. */
  got(id: string): readonly Got[];
  close(): Promise<void>;
}

const taken: Answer = { status: 202 };

/** Subscriber, dead-letter sink and sink of every case, in this process. */
export async function startReceiver(host: string): Promise<Receiver> {
  const cases = new Map<string, { readonly answer: (got: Got, before: number) => Answer; readonly got: Got[] }>();
  const server = createServer((request, response) => {
    const at = performance.now();
    const take = async (): Promise<void> => {
      const body = await bodyOf(request);
      const got: Got = { ...addresseeOf(request), headers: request.headers, body, at };
      const expected = cases.get(got.case);
      const answer = expected?.answer(got, countOf(expected.got, got.name)) ?? taken;
      expected?.got.push(got);
      await respond(response, answer);
    };
    take().catch(() => response.destroy());
  });
  server.listen(0, host);
  await once(server, 'listening');
  const nobody = createServer().listen(0, host);
  await once(nobody, 'listening');
  const nobodyUrl = `http://${host}:${(nobody.address() as AddressInfo).port}`;
  nobody.close();
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    nobody: nobodyUrl,
    expect: (id, answer) => void cases.set(id, { answer, got: [] }),
    got: (id) => cases.get(id)?.got ?? [],
    close: async () => {
      const closed = once(server, 'close');
      server.closeAllConnections();
      server.close();
      await closed;
    },
  };
}

/**
 * `/<case>/<name>`; at `/scene/<name>` an extension of the event says the case, at `/objects` the name of the object that
 * it is about, `<case>-<name>`.
 */
function addresseeOf({ url = '', headers }: IncomingMessage): Pick<Got, 'case' | 'name'> {
  const [, first = '', second = ''] = url.split('/');
  if (first === 'scene') return { case: String(headers['ce-case']), name: second };
  if (first !== 'objects') return { case: first, name: second };
  const [id = '', ...name] = String(headers['ce-name']).split('-');
  return { case: id, name: name.join('-') };
}

async function respond(response: ServerResponse, { status, headers, body, afterMs, instead }: Answer): Promise<void> {
  if (afterMs !== undefined) await sleep(afterMs);
  if (instead === 'cut') response.destroy();
  else if (instead === undefined) response.writeHead(status, headers).end(body);
}

function countOf(got: readonly Got[], name: string): number {
  return got.filter((one) => one.name === name).length;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
