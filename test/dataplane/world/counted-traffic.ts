import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { podLayout } from '../../../resources/distributed-service/envoy/data-plane.ts';
import { until } from '../../kube/until.ts';
import { scrapeOf, type Target } from '../../prometheus/relabelled.ts';
import { type PrometheusServer, startPrometheus } from '../../prometheus/server.ts';
import { asking } from './asking.ts';
import { startBackend } from './backends.ts';
import { askHttp, hangUp, holdTcp } from './clients.ts';
import { ports } from './frp-server.ts';
import { hostOf, manual, service } from './objects.ts';
import { type DataPlane, startWorld } from './world.ts';

/** What clients do: requests of which some get 5xx, tcp connections that get back what they send, and udp clients. */
export const given = { requests: 12, errors: 5, connections: 6, clients: 4 } as const;
/** Bytes of an answer, of what each connection sends, and of what each udp client sends and gets. */
export const bytes = { answer: 20_000, sent: 5_000, asked: 4, answered: 'grams'.length } as const;
/** How long the web server takes at least. */
export const slowMs = 300;

const services = ['web', 'pipe', 'grams'] as const;

export interface CountedTraffic {
  readonly prometheus: PrometheusServer;
  /** Answers by their status, and the seconds that the slowest took. */
  readonly answers: Readonly<Record<string, number>>;
  readonly slowest: number;
}

type Context = { after(work: () => unknown): void };

/** Three services behind a real FRP server, whose traffic is counted by its clients; in the end one of two web servers is killed. */
export async function countTraffic(context: Context): Promise<CountedTraffic> {
  const world = await startWorld(context);
  const address = (index: number) => ({ address: world.network.backend(index), port: 8080 });
  const kill = await startWeb(context, address(0).address);
  await startWeb(context, address(1).address);
  await startBackend(context, 'tcp', { name: 'pipe', ...address(2) });
  await startBackend(context, 'udp', { name: 'grams', ...address(3) });
  const timing = { interval: '1s', timeout: '900ms', failureThreshold: 2, successThreshold: 1 };
  const healthCheck = { type: 'http', path: '/healthz', ...timing };
  world.put(service({ type: 'http', backends: manual([address(0), address(1)]), healthCheck }));
  world.put(service({ name: 'pipe', type: 'tcp', backends: manual([address(2)]) }));
  world.put(service({ name: 'grams', type: 'udp', backends: manual([address(3)]) }));
  for (const name of services) await world.untilRunning(name);
  const web = { host: world.network.host, port: ports.http, name: hostOf('web') };
  await world.until('it answers', async () => 'by' in (await askHttp(web)));

  const prometheus = await startPrometheus(context, [
    scrapeOf(
      'knudge-tunnels',
      services.map((name) => targetOf(world, name)),
    ),
    { job_name: 'frps', static_configs: [{ targets: [`${world.network.host}:${String(ports.metrics)}`] }] },
  ]);
  const seen = (query: string, value: number): Promise<void> =>
    until(query, async () => ((await prometheus.query(query))[0]?.value ?? 0) >= value, 90);
  await seen('min(count_over_time(envoy_cluster_membership_total[10m]))', 3);
  await seen('sum(envoy_cluster_membership_healthy{envoy_cluster_name="upstream",distributed_service="web"})', 2);

  const { answers, slowest } = await request(web);
  await connections(world);
  const askGrams = asking(world, 'udp');
  for (let n = 0; n < given.clients; n += 1) assert.ok('by' in (await askGrams()));
  kill();
  await seen('2 - sum(envoy_cluster_membership_healthy{envoy_cluster_name="upstream",distributed_service="web"})', 1);
  // Of more than this, the guess of `increase` about both ends is less than what is allowed.
  await seen('min(count_over_time(envoy_cluster_membership_total[10m]))', 34);
  return { prometheus, answers, slowest };
}

/** An http server that answers late, with 500 at `/fail`; gives what kills it. */
async function startWeb(context: Context, address: string): Promise<() => void> {
  const body = 'x'.repeat(bytes.answer);
  const server = createServer(({ url }, response) => {
    const answer = (): void => void response.writeHead(url === '/fail' ? 500 : 200).end(body);
    setTimeout(answer, url === '/healthz' ? 0 : slowMs);
  }).listen(8080, address);
  await once(server, 'listening');
  const kill = (): void => {
    server.close();
    server.closeAllConnections();
  };
  context.after(kill);
  return kill;
}

/** The Pod of a tunnel, as Prometheus finds it. */
function targetOf(world: DataPlane, name: string): Target {
  const { uid, pod } = world.tunnel(name) ?? assert.fail(`${name} has no tunnel`);
  const pods = world.cluster.client.list({ apiVersion: 'v1', kind: 'Pod' });
  const live = pods.find(({ metadata }) => metadata.uid === uid)?.metadata;
  const address = `${pod.address}:${String(podLayout.probePort)}`;
  return { address, namespace: 'shop', pod: live?.name ?? '', labels: live?.labels ?? {} };
}

async function request(web: Parameters<typeof askHttp>[0]): Promise<Omit<CountedTraffic, 'prometheus'>> {
  const answers: Record<string, number> = {};
  let slowest = 0;
  for (let n = 0; n < given.requests; n += 1) {
    const began = performance.now();
    const answered = await askHttp({ ...web, path: n < given.errors ? '/fail' : '/' });
    slowest = Math.max(slowest, (performance.now() - began) / 1000);
    const status = 'by' in answered ? '200' : answered.failed.slice(0, 3);
    answers[status] = (answers[status] ?? 0) + 1;
  }
  return { answers, slowest };
}

/** Each sends a text, and waits until all of it is back. */
async function connections(world: DataPlane): Promise<void> {
  for (let n = 0; n < given.connections; n += 1) {
    const held = await holdTcp({ host: world.network.host, port: ports.tcp });
    if ('failed' in held) throw new Error(held.failed);
    const { promise, resolve } = Promise.withResolvers<void>();
    let left: number = bytes.sent;
    held.socket.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left <= 0) resolve();
    });
    held.socket.write('y'.repeat(bytes.sent));
    await promise;
    await hangUp(held.socket);
  }
}
