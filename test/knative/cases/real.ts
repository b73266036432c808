import { rmSync } from 'node:fs';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { at } from '../../../packages/kube-api/fidelity/case.ts';
import { serverOf } from '../../../packages/kube-api/fidelity/server.ts';
import { place } from '../../../tools/control-plane/node/place.ts';
import { caseLabel, manifestsOf } from './manifests.ts';
import { type Call, callsTo, collectionOf, listOf, make } from './objects.ts';
import { eventually, type Target } from './observe.ts';
import { startReceiver } from './receiver.ts';
import { type Row, scenesOf } from './table.ts';

/** Real Knative in the cluster of this kubeconfig, with the manifests of these cases in a namespace of their own. */
export async function startReal(rows: readonly Row[], kubeconfig: string): Promise<Target> {
  const api = serverOf('real', kubeconfig);
  const call = callsTo(api);
  const receiver = await startReceiver(place.host);
  const namespace = `cases-${process.pid}`;
  const close = async (): Promise<void> => {
    await clean(call, namespace);
    api.agent.destroy();
    await receiver.close();
    rmSync(api.home, { recursive: true, force: true });
  };
  try {
    await forget(call);
    const objects = manifestsOf(rows, { namespace, receiver: receiver.url, nobody: receiver.nobody });
    await makeAll(call, objects);
    await untilReady(call, objects, namespace);
    const { body } = await call('GET', '/api/v1/namespaces/knative-eventing/services/broker-ingress');
    const ingress = `http://${String(at(body, 'spec.clusterIP'))}`;
    return { name: 'knative', namespace, ingress, api, receiver, scenes: scenesOf(rows), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** In order, but those of one kind at the same time. */
async function makeAll(call: Call, objects: readonly KubeObject[]): Promise<void> {
  const kinds = [...new Set(objects.map(({ kind }) => kind))];
  for (const kind of kinds) {
    await Promise.all(objects.filter((object) => object.kind === kind).map((object) => make(call, object)));
  }
}

/** A machine that is busy with much else took 75 s. */
const readyWithinMs = 180_000;

const withConditions = ['Broker', 'ApiServerSource', 'PingSource', 'Trigger'];

/** All say that they are Ready, and the dispatcher of each channel knows every Trigger of its Broker. */
async function untilReady(call: Call, objects: readonly KubeObject[], namespace: string): Promise<void> {
  for (const kind of withConditions) {
    const [one] = objects.filter((object) => object.kind === kind);
    if (one === undefined) continue;
    await eventually(
      `every ${kind} of ${namespace} is Ready`,
      async () => {
        const items = await listOf(call, collectionOf(one));
        return items.length > 0 && items.every(isReady);
      },
      readyWithinMs,
    );
  }
  const wanted = countsOf(objects);
  const channels = `/apis/messaging.knative.dev/v1/namespaces/${namespace}/inmemorychannels`;
  await eventually(
    `the channels of ${namespace} have every Trigger`,
    async () => {
      const items = await listOf(call, channels);
      return [...wanted].every(([broker, count]) => {
        const channel = items.find((item) => at(item, 'metadata.name') === `${broker}-kne-trigger`);
        const told = at(channel, 'status.subscribers');
        return Array.isArray(told) && told.length === count && told.every((each) => at(each, 'ready') === 'True');
      });
    },
    readyWithinMs,
  );
}

function isReady(object: unknown): boolean {
  const conditions = at(object, 'status.conditions');
  if (at(object, 'status.observedGeneration') !== at(object, 'metadata.generation')) return false;
  return (
    Array.isArray(conditions) && conditions.some((one) => at(one, 'type') === 'Ready' && at(one, 'status') === 'True')
  );
}

/** How many Triggers each Broker has. */
function countsOf(objects: readonly KubeObject[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const object of objects.filter(({ kind }) => kind === 'Trigger')) {
    const broker = String(at(object, 'spec.broker'));
    counts.set(broker, (counts.get(broker) ?? 0) + 1);
  }
  return counts;
}

/** The namespace goes as a whole, and nobody waits for it: Triggers that are deleted one by one leave dead subscribers. */
async function clean(call: Call, namespace: string): Promise<void> {
  await forget(call);
  await call('DELETE', `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${namespace}`);
  await call('DELETE', `/apis/rbac.authorization.k8s.io/v1/clusterroles/${namespace}`);
  await call('DELETE', `/api/v1/namespaces/${namespace}`);
}

/** What cases make outside namespaces, also those of a run that was ended. */
async function forget(call: Call): Promise<void> {
  await call(
    'DELETE',
    `/apis/rbac.authorization.k8s.io/v1/clusterroles?labelSelector=${encodeURIComponent(caseLabel)}`,
  );
}
