import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { functions, type Stem, serviceOf, stemsOf } from '../../../functions/table.ts';
import type { Ending, Sending } from '../../../packages/controller/cluster/exchange.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { timer } from '../../../packages/controller/server/deadline.ts';
import type { Instance } from '../../../packages/controller/testing/sim/instance.ts';
import type { Due } from '../../../packages/controller/testing/sim/run.ts';
import { ending } from '../../../packages/controller/testing/sim/spoil.ts';
import { issuer } from '../../../packages/issuing/issuer.ts';
import { createApi } from '../../../packages/kube-api/api.ts';
import type { Client } from '../../../packages/kube-api/client.ts';
import { type Controller, jsonOf } from '../../../packages/kube-api/controllers/controller.ts';
import { deploymentController } from '../../../packages/kube-api/controllers/deployment.ts';
import { endpointSliceController } from '../../../packages/kube-api/controllers/endpoint-slice.ts';
import { namespaceController } from '../../../packages/kube-api/controllers/namespace.ts';
import { replicaSetController } from '../../../packages/kube-api/controllers/replica-set.ts';
import { ApiProblem } from '../../../packages/kube-api/http/problem.ts';
import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';
import type { Lifetimes } from '../../../resources/distributed-service/certificates/lifetimes.ts';
import { createAskTunnel } from '../../../resources/distributed-service/tunnel/ask.ts';
import type { AskTunnel } from '../../../resources/distributed-service/tunnel/types.ts';
import { startInstance } from '../../faults/sim/instance.ts';
import { dueOf, manifests, startSources } from '../../faults/sim/source.ts';

/** The embedded API with controllers, and the functions as they are deployed, in real time. */
export interface Cluster {
  readonly client: Client;
  /** How many events were handled, and what the answers with an error said. */
  readonly handled: { events: number; readonly failed: string[] };
  /** What the functions take for now, in milliseconds from the true time. */
  readonly clock: { aheadMs: number };
  close(): void;
}

const namespaces = ['shop', 'knudge'];
const retryMs = 200;
const mostTries = 10;

export interface ClusterParts {
  /** Without them nobody reacts to anything. */
  readonly functions?: boolean;
  /** Instead of asking the Envoys that run. */
  readonly askTunnel?: AskTunnel;
  /** How long certificates live, if not as long as they should. */
  readonly lifetimes?: Lifetimes | undefined;
}

/** Starts one with our definitions and the namespaces `shop` and `knudge`. */
export function startCluster({ functions: reacts = true, ...parts }: ClusterParts = {}): Cluster {
  const { lifetimes, askTunnel = createAskTunnel({ timeoutMs: 1000 }) } = parts;
  const api = createApi();
  const stopControllers = runControllers(api.client);
  for (const crd of manifests.objects.filter(({ kind }) => kind === 'CustomResourceDefinition')) api.client.create(crd);
  for (const name of namespaces) api.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const handled = { events: 0, failed: [] as string[] };
  const instances = new Map<string, Instance>();
  let closed = false;
  const exchange = async ({ method, url, headers, body = '' }: Sending): Promise<Ending> => {
    await new Promise(setImmediate);
    const answered = api.handle({ method, path: url.pathname, query: url.searchParams, headers, body });
    if (!('status' in answered)) throw new Error('a function does not watch');
    return ending(answered);
  };
  const clock = { aheadMs: 0 };
  const outside = {
    now: () => Date.now() + clock.aheadMs,
    elapsed: () => performance.now(),
    after: timer,
    random: Math.random,
    newToken: () => randomBytes(32).toString('base64url'),
    issuer,
    askTunnel,
    ...(lifetimes && { lifetimes }),
  };
  const instanceOf = (stem: Stem): Instance => {
    const service = serviceOf(stem);
    const stems = stemsOf(service);
    const found = instances.get(service) ?? startInstance({ stems, outside, exchange, say: () => {} });
    instances.set(service, found);
    return found;
  };
  async function deliver({ stem, delivery }: Due<Stem>): Promise<void> {
    for (let tries = 1; !closed; tries += 1) {
      const { status, body } = await instanceOf(stem)(stem, delivery);
      handled.events += 1;
      if (status < 300) return;
      handled.failed.push(`${stem}: ${String(status)} ${body}`);
      if (tries === mostTries) return;
      await sleep(retryMs);
    }
  }
  // What the others send is not needed here: a resync, and what the Broker gave up on.
  const changes = (event: CloudEvent) => dueOf(event).filter(({ stem }) => functions[stem].wakes === 'change');
  const send = (event: CloudEvent): void => {
    for (const due of changes(event)) setImmediate(() => void deliver(due));
  };
  let count = 0;
  const newId = (): string => {
    count += 1;
    return `event-${String(count)}`;
  };
  const stopSources = reacts ? startSources({ api, newId, now: Date.now, send }) : () => undefined;
  return {
    client: api.client,
    handled,
    clock,
    close: () => {
      closed = true;
      stopSources();
      stopControllers();
      api.close();
    },
  };
}

/** The controllers that a cluster has, without a node: the Pods of tunnels are really run. */
function runControllers(client: Client): () => void {
  const controllers: readonly Controller[] = [
    namespaceController,
    replicaSetController,
    deploymentController,
    endpointSliceController,
  ];
  const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;
  const waiting = new Set<string>();
  const stopped = false;
  return client.subscribe(({ object }) => notice(object));

  function notice(object: KubeObject): void {
    for (const [index, controller] of controllers.entries()) {
      for (const ref of controller.concerns(object, client)) {
        const key = `${String(index)} ${ref.kind} ${ref.namespace}/${ref.name}`;
        if (waiting.has(key) || stopped) continue;
        waiting.add(key);
        setImmediate(() => {
          waiting.delete(key);
          reconcile(controller, ref);
        });
      }
    }
  }

  function reconcile(controller: Controller, ref: Parameters<Controller['reconcile']>[0]): void {
    try {
      controller.reconcile(ref, { client, now });
    } catch (error) {
      // Somebody else was faster: their write is the next change of it.
      if (!(error instanceof ApiProblem)) throw error;
    }
  }
}

/** A field of an object by its path. */
export function fieldOf(object: KubeObject | undefined, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined),
    object === undefined ? undefined : jsonOf(object),
  );
}
