import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, path, pod, serveWatches } from '../../../packages/controller/test/cluster/watch-api.ts';
import { runSourceProcess } from '../../../packages/source/process.ts';
import type { Ending } from './processes.ts';

/** What the source is made to do. */
export const ofSource = { sent: 3, leftOut: 2, failed: 2, waiting: 1, blind: 1 } as const;

/** Knudge's source, which does that; `stuckSince` is when the event that still waits came. */
export async function startSource(ending: Ending, folder: string): Promise<{ url: string; stuckSince: number }> {
  const api = await serveWatches({ after: ending } as unknown as Parameters<typeof serveWatches>[0], {
    '/api/v1/services': 'this is no list',
  });
  const failures = { left: ofSource.failed };
  const broker = createServer((request, response) => {
    request.resume();
    // An event that is never answered waits, and is no try that failed.
    if (request.headers['ce-name'] === 'stuck') return;
    response.writeHead(failures.left-- > 0 ? 503 : 202).end();
  }).listen(0, '127.0.0.1');
  await once(broker, 'listening');
  const resources = ['Pod', 'Service'].map((kind) => ({ apiVersion: 'v1', kind, selector: '' }));
  const source = await runSourceProcess(
    {
      version: 'test',
      watches: resources.map((resource) => ({ mode: 'Resource' as const, resources: [resource] })),
      looksAt: { '/Pod': ['phase'], '/Service': ['phase'] },
    },
    {
      PORT: '0',
      LISTEN_ADDRESS: '127.0.0.1',
      LOG_LEVEL: 'silent',
      API_SERVER_URL: api.url,
      K_SINK: `http://127.0.0.1:${String((broker.address() as AddressInfo).port)}`,
      SOURCE_FILE: join(folder, 'source.db'),
    },
  );
  ending(async () => {
    broker.closeAllConnections();
    broker.close();
    source.server.closeAllConnections();
    source.server.close();
    await source.close();
  });
  if (!source.server.listening) await once(source.server, 'listening');
  const url = `http://127.0.0.1:${String((source.server.address() as AddressInfo).port)}`;
  await eventually('it watches', () => api.watches(path).length === 1);
  const metric = async (name: string): Promise<number> =>
    Number(
      new RegExp(`^knudge_source_${name}\\{\\} (\\S+)$`, 'm').exec(await (await fetch(`${url}/metrics`)).text())?.[1],
    );
  const names = Array.from({ length: ofSource.sent }, (_, index) => `p${String(index)}`);
  names.forEach((name, index) => api.push(path, 'ADDED', pod(name, String(11 + index), { uid: name })));
  while ((await metric('sent_total')) < ofSource.sent) await sleep(100);
  // Nothing that a function looks at has changed.
  for (let n = 0; n < ofSource.leftOut; n += 1) api.push(path, 'MODIFIED', pod('p0', String(20 + n), { uid: 'p0' }));
  while ((await metric('left_out_total')) < ofSource.leftOut) await sleep(100);
  api.push(path, 'ADDED', pod('stuck', '30'));
  return { url, stuckSince: Date.now() };
}

/** What Knative's Broker has handed on, by status, in less than 100 ms each. */
export const ofBroker = { 202: 7, 500: 2 } as const;

/** Exports what Knative's mt-broker-filter would, with the names of Knative 1.19: nothing first, and the counts once `handOn` is called. */
export async function startKnative(ending: Ending): Promise<{ url: string; handOn: () => void }> {
  let factor = 0;
  const server = createServer((_, response) => {
    const lines = Object.entries(ofBroker).flatMap(([status, count]) => {
      const labels = `http_response_status_code="${status}",kn_broker_name="knudge",kn_broker_namespace="knudge"`;
      const name = 'kn_eventing_dispatch_duration_seconds';
      const now = factor * count;
      return [
        ...['0.05', '0.1', '+Inf'].map((le) => `${name}_bucket{${labels},le="${le}"} ${le === '0.05' ? 0 : now}`),
        ...[`${name}_sum{${labels}} ${now / 12}`, `${name}_count{${labels}} ${now}`],
      ];
    });
    response.end(`# TYPE kn_eventing_dispatch_duration_seconds histogram\n${lines.join('\n')}\n`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ending(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    url,
    handOn: () => {
      factor = 1;
    },
  };
}
