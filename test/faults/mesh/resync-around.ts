import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** This many reconciles at a time: what comes meanwhile waits, as before functions that are all busy. */
const workers = 8;

/** Stands for every function of a parent: answers 204 after the time that its reconcile takes. */
export async function startReconcilers(
  react: (key: string, id: string) => number,
): Promise<{ server: Server; url: string }> {
  const waiting: (() => void)[] = [];
  let busy = 0;
  const next = (): void => {
    const work = busy < workers ? waiting.shift() : undefined;
    if (work === undefined) return;
    busy += 1;
    work();
  };
  const server = createServer((request, response) => {
    const { 'ce-namespace': namespace, 'ce-name': name, 'ce-id': id } = request.headers;
    request.resume();
    const end = (): void => {
      busy -= 1;
      response.writeHead(204).end();
      next();
    };
    waiting.push(() => setTimeout(end, react(`${String(namespace)}/${String(name)}`, String(id))));
    next();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** On a connection of its own: one that is kept alive may be closed just then, and a tick must not go twice. */
export function postTo(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = request(url, { method: 'POST', headers: { ...headers, 'content-length': 0 }, agent: false });
  sent.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)));
  sent.on('error', reject).end();
  return promise;
}
