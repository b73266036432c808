import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { home, type Site } from '../../test/knative/site.ts';
import { kubectl } from '../../test/kube/kubectl.ts';
import { place } from '../../tools/control-plane/node/place.ts';
import type { Row } from '../report.ts';
import { median, pairedRatio } from '../statistics.ts';
import { quantile } from './requests.ts';

const name = 'bench-source';
const label = 'knudge.dev/bench';
const maps = `/api/v1/namespaces/${home}/configmaps`;
const sources = `/apis/sources.knative.dev/v1/namespaces/${home}/apiserversources`;

/** The time from the making of a ConfigMap to its event, by a source whose sink is this process; beside it, until it is made. */
export async function measureSource(
  site: Site,
  { rounds, count }: { readonly rounds: number; readonly count: number },
): Promise<readonly Row[]> {
  const arrived = new Map<string, () => void>();
  const sink = await startSink((of) => arrived.get(of)?.());
  const made: number[] = [];
  const told: number[] = [];
  try {
    await makeSource(site, `http://${place.host}:${String((sink.address() as AddressInfo).port)}`);
    for (let number = -5; number < rounds * count; number += 1) {
      const map = `${name}-${String(number + 5)}`;
      const isHere = new Promise<void>((done, failed) => {
        arrived.set(map, done);
        setTimeout(() => failed(new Error(`no event of ConfigMap ${map} after 30 s`)), 30_000).unref();
      });
      const began = performance.now();
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: map, labels: { [label]: 'yes' } } };
      const { status } = await site.api('POST', maps, { body });
      if (status !== 201) throw new Error(`ConfigMap ${map}: ${String(status)}`);
      const afterMade = performance.now() - began;
      await isHere;
      // The first ones only warm it up.
      if (number < 0) continue;
      made.push(afterMade);
      told.push(performance.now() - began);
    }
  } finally {
    await removeSource();
    sink.closeAllConnections();
    sink.close();
  }
  const row = (what: string, values: readonly number[]): Row => ({
    name: `warm: ${what}`,
    figures: { 'p50 ms': median(values), 'p99 ms': quantile(values, 0.99), '× made': pairedRatio(values, made) },
  });
  return [row('a ConfigMap, until it is made', made), row('… until a source has brought its event', told)];
}

async function startSink(takes: (name: string) => void): Promise<Server> {
  const server = createServer((request, response) => {
    takes(String(request.headers['ce-name']));
    request.resume().once('end', () => response.writeHead(202).end());
  });
  server.listen(0, place.host);
  await once(server, 'listening');
  return server;
}

/** In Knudge's namespace only, so that a new namespace does not restart it, and with an account that may watch. */
async function makeSource(site: Site, uri: string): Promise<void> {
  const body = {
    apiVersion: 'sources.knative.dev/v1',
    kind: 'ApiServerSource',
    metadata: { name, namespace: home },
    spec: {
      serviceAccountName: 'cluster-objects',
      mode: 'Resource',
      resources: [{ apiVersion: 'v1', kind: 'ConfigMap', selector: { matchLabels: { [label]: 'yes' } } }],
      sink: { uri },
    },
  };
  const { status, body: told } = await site.api('POST', sources, { body });
  if (status !== 201 && status !== 409) throw new Error(`ApiServerSource ${name}: ${JSON.stringify(told)}`);
  await kubectl('--namespace', home, 'wait', `apiserversource/${name}`, '--for=condition=Ready', '--timeout=90s');
  // It is Ready before it watches.
  await new Promise((resume) => setTimeout(resume, 8000));
}

async function removeSource(): Promise<void> {
  await kubectl('--namespace', home, 'delete', 'apiserversource', name, '--ignore-not-found', '--timeout=60s');
  await kubectl('--namespace', home, 'delete', 'configmaps', '--selector', label, '--ignore-not-found');
}
