import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type KubeObject, type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { controlledBy } from '../../../packages/kube-api/controllers/controller.ts';
import type { Lifetimes } from '../../../resources/distributed-service/certificates/lifetimes.ts';
import { childName } from '../../../resources/distributed-service/names.ts';
import { type Kubelet, type KubeletParts, startKubelet } from '../pod/kubelet.ts';
import { createNetwork, type Network } from '../pod/network.ts';
import type { RunningPod } from '../pod/running-pod.ts';
import { type Cluster, fieldOf, startCluster } from './cluster.ts';
import { type FrpServer, prepareServer } from './frp-server.ts';

/** A cluster with one node, an FRP server, and the way between them: all of it real but the machines. */
export interface DataPlane {
  readonly cluster: Cluster;
  readonly network: Network;
  readonly server: FrpServer;
  readonly kubelet: Kubelet;
  /** Creates an object. */
  put(object: KubeObject): KubeObject;
  /** An object of `shop`. */
  get(apiVersion: string, kind: string, name: string): KubeObject | undefined;
  /** Writes other fields into an object of `shop`. */
  change(object: KubeObject, fields: object): void;
  /** The Pod of a service's tunnel, its uid first; undefined where none runs. */
  tunnel(service: string): { readonly uid: string; readonly pod: RunningPod } | undefined;
  /** Asks until the answer is yes; fails with what everybody has said. */
  until(what: string, ask: () => unknown, seconds?: number): Promise<void>;
  /** Until the status says Running. */
  untilRunning(service: string): Promise<void>;
  status(service: string): Readonly<Record<string, unknown>>;
}

export interface WorldParts {
  readonly refresh?: KubeletParts['refresh'];
  readonly damage?: KubeletParts['damage'];
  /** Certificates in PEM: the server wants one of its clients that they have signed. */
  readonly clients?: string;
  readonly lifetimes?: Lifetimes;
}

/** A world for one test, or for all tests of a suite; the server runs, its profile is `default`. */
export async function startWorld(
  context: Pick<TestContext, 'after'>,
  { refresh = 'at-once', damage, clients, lifetimes }: WorldParts = {},
): Promise<DataPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-world-'));
  const network = createNetwork();
  const cluster = startCluster({ lifetimes });
  const { client } = cluster;
  mkdirSync(join(folder, 'pods'));
  const kubelet = startKubelet({ client, network, folder: join(folder, 'pods'), refresh, damage });
  const server = await prepareServer(network.host, folder);
  context.after(async () => {
    cluster.close();
    kubelet.close();
    await server.stop();
    network.close();
    await removed(folder);
  });
  await server.start(clients);
  for (const object of [server.tokenSecret, server.profile('default')]) client.create(object);

  async function until(what: string, ask: () => unknown, seconds = 30): Promise<void> {
    const deadline = Date.now() + seconds * 1000;
    while ((await ask()) !== true) {
      if (Date.now() > deadline) throw new Error(`not within ${String(seconds)} s: ${what}\n${everything()}`);
      await sleep(10);
    }
  }

  function everything(): string {
    const services = client.list(kind).map((one) => JSON.stringify(fieldOf(one, 'status'), null, 1));
    const pods = [...kubelet.running.values()].map((pod) => pod.said());
    return [...services, ...pods, `--- frps\n${server.said()}`, ...cluster.handled.failed.slice(-5)]
      .join('\n')
      .slice(-8000);
  }

  const find = (name: string): KubeObject | undefined => client.get({ ...kind, namespace: 'shop', name });
  const status = (name: string) => (fieldOf(find(name), 'status') ?? {}) as Readonly<Record<string, unknown>>;
  return {
    cluster,
    network,
    server,
    kubelet,
    until,
    status,
    put: (object) => client.create(object),
    get: (apiVersion, kind, name) => client.get({ apiVersion, kind, namespace: 'shop', name }),
    change: (object, fields) => {
      const { resourceVersion: _, ...metadata } = client.get(refOf(object))?.metadata ?? object.metadata;
      client.update({ ...object, ...fields, metadata });
    },
    tunnel: (service) => {
      const deployment = client.get({ ...deploymentKind, namespace: 'shop', name: childName(service, 'tunnel') });
      if (deployment === undefined) return undefined;
      const sets = controlledBy(deployment, client, { apiVersion: 'apps/v1', kind: 'ReplicaSet' });
      const pods = sets.flatMap((set) => controlledBy(set, client, { apiVersion: 'v1', kind: 'Pod' }));
      const found = pods.map(({ metadata: { uid = '' } }) => ({ uid, pod: kubelet.running.get(uid) }));
      const [one] = found.filter((each): each is { uid: string; pod: RunningPod } => each.pod !== undefined);
      return one;
    },
    untilRunning: (name) => until(`${name} is Running`, () => status(name)['state'] === 'Running'),
  };
}

const kind = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' } as const satisfies Partial<ObjectRef>;
const deploymentKind = { apiVersion: 'apps/v1', kind: 'Deployment' } as const;

/** The roots of containers are unmounted when their namespace has ended, a moment after the process. */
async function removed(folder: string): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch {
      await sleep(100);
    }
  }
}
