import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { functions, services } from '../../../functions/table.ts';
import { runChangeFunctions, runEventFunction, runLogFunctions } from '../../../packages/start/main.ts';
import { equip } from '../../../resources/managed/equip.ts';
import { settings } from '../../../resources/managed/settings.ts';
import { startApiStub } from '../../build/api-stub.ts';
import { message } from '../../build/objects.ts';

/** Closes things in the end. */
export type Ending = (work: () => void | Promise<void>) => void;

/** When the last resync began. */
export const resyncBegan = new Date(Date.now() - 200_000);

const status = (code: number, reason: string): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason,
  message: reason,
  code,
});

/** An API server with Messages that have no Pod, and DistributedServices that it cannot read. */
export async function startApi(ending: Ending) {
  const hello = { ...message(), metadata: { ...message().metadata, resourceVersion: '1', generation: 1 } };
  const lease = {
    kind: 'Lease',
    metadata: { name: 'knudge-resync', resourceVersion: '1' },
    spec: { renewTime: resyncBegan.toISOString() },
  };
  const state = (name: string, state: string) => ({ metadata: { name, namespace: 'shop' }, status: { state } });
  const items = [state('a', 'Failed'), state('b', 'Failed'), state('c', 'Running')];
  const services = { kind: 'DistributedServiceList', metadata: {}, items };
  const api = await startApiStub(({ method = '', url = '' }) => {
    const [path = ''] = url.split('?');
    const namespace = path.split('/namespaces/')[1]?.split('/')[0];
    const named = { ...hello, metadata: { ...hello.metadata, namespace, uid: `u-${String(namespace)}` } };
    const pod = { kind: 'Pod', metadata: { ...named.metadata, name: 'msg-hello' } };
    const answers: readonly (readonly [isMeant: boolean, status: number, body: object])[] = [
      [path.includes('/leases/'), 200, lease],
      [path.endsWith('/distributedservices'), 200, services],
      [path.includes('/distributedservices/'), 500, status(500, 'InternalError')],
      [method === 'GET' && path.includes('/messages/'), 200, named],
      [method === 'GET', 404, status(404, 'NotFound')],
      [method === 'POST', 201, pod],
    ];
    const [, code, body] = answers.find(([isMeant]) => isMeant) ?? [true, 200, named];
    return { status: code, body };
  });
  ending(api.close);
  return api;
}

/** The functions of this run, each with its address. */
export async function startFunctions(
  ending: Ending,
  { api, sink, file }: { readonly api: string; readonly sink: string; readonly file: string },
): Promise<Readonly<Record<'message-changed' | 'distributed-service' | 'resync-due' | 'event-log', string>>> {
  const env = { PORT: '0', LOG_LEVEL: 'silent', API_SERVER_URL: api, K_SINK: sink, API_TIMEOUT_SECONDS: '5' };
  const up = async (server: Server): Promise<string> => {
    ending(() => {
      server.close();
      server.closeAllConnections();
    });
    return addressOf(server);
  };
  const change = (
    name: 'message-changed' | 'distributed-service',
    stems: readonly ('message-changed' | 'distributed-service-changed')[],
  ) =>
    runChangeFunctions(
      { name, own: stems.map((stem) => ({ stem, ...functions[stem] })), settings, equip },
      { ...env, REPORT_DELIVERIES: 'event' },
    );
  const ofLog = services['event-log'].map((stem) => ({ stem, ...functions[stem] }));
  return {
    'message-changed': await up(await change('message-changed', ['message-changed'])),
    'distributed-service': await up(await change('distributed-service', ['distributed-service-changed'])),
    'resync-due': await up(await runEventFunction({ stem: 'resync-due', ...functions['resync-due'] }, env)),
    'event-log': await up(
      await runLogFunctions('event-log', ofLog, { PORT: '0', LOG_LEVEL: 'silent', EVENT_LOG: file }),
    ),
  };
}

/** Stands for the Broker: hands on reports of deliveries to the event log, and counts them. */
export async function startBroker(ending: Ending) {
  const broker = { url: '', log: '', reports: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      if (request.headers['ce-type'] === 'dev.knudge.reconciled') {
        const headers = Object.entries(request.headers).filter(([name]) => /^(ce-|content-type$)/.test(name));
        const event = { headers: Object.fromEntries(headers) as Record<string, string>, body: Buffer.concat(chunks) };
        await postUntilTaken(`${broker.log}/event-recorded`, event);
        broker.reports += 1;
      }
      response.writeHead(202).end();
    });
  }).listen(0, '127.0.0.1');
  broker.url = await addressOf(server);
  ending(() => {
    server.close();
    server.closeAllConnections();
  });
  return broker;
}

/** A machine that is too busy to do it in time says 503: then it comes again, as from a Broker. */
export async function postUntilTaken(
  url: string,
  event: { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer },
): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    if ((await post(url, event)) === 'done') return;
    await sleep(500);
  }
  throw new Error(`${url} takes no event`);
}

/** Posts an event; gives `done`, or the code of the error. */
export async function post(
  url: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer },
): Promise<string> {
  const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
  const text = await answer.text();
  return answer.ok ? 'done' : String((JSON.parse(text) as { readonly code?: string }).code);
}

async function addressOf(server: Server): Promise<string> {
  if (!server.listening) await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
