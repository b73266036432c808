import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What the API server answers to a request, if this rule is about it; `reset` breaks the connection. */
export type Rule = (request: IncomingMessage) => Answer | 'reset' | undefined;

/** An API server that answers by rules, the first that fits: for faults that a real one cannot be asked for. */
export async function startApiStub(last: Rule) {
  const stub = { rules: [] as readonly Rule[], seen: [] as string[], hold: Promise.resolve() };
  const server = createServer((request, response) => {
    stub.seen.push(`${request.method} ${request.url?.split('?')[0]}`);
    request.resume().on('end', async () => {
      await stub.hold;
      const answer = [...stub.rules, last].map((rule) => rule(request)).find((one) => one !== undefined);
      if (answer === 'reset' || answer === undefined) request.socket.destroy();
      else
        response
          .writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
          .end(JSON.stringify(answer.body ?? {}));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(stub, {
    url: `http://127.0.0.1:${port}`,
    close: (): void => {
      server.close();
      server.closeAllConnections();
    },
  });
}
