import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { serverOf } from '../../../packages/kube-api/fidelity/server.ts';
import { configMaps, rightsIn } from './manifests.ts';
import { callsTo, listOf, make } from './objects.ts';
import { eventually } from './observe.ts';

/** How long Knative may take to see a namespace; measured: 3 to 6 s, and more on a busy machine. */
const patienceMs = 60_000;

/**
 * Makes two sources, one for every namespace and one for its own, and then a namespace. Gives whose adapter Knative has
 * changed by then, which restarts it: what happens meanwhile is lost.
 */
export async function restartedByNamespace(kubeconfig: string): Promise<readonly string[]> {
  const api = serverOf('real', kubeconfig);
  const call = callsTo(api);
  const namespace = `cases-restart-${process.pid}`;
  const later = `${namespace}-later`;
  const deployments = async (): Promise<ReadonlyMap<string, unknown>> => {
    const all = await listOf(call, `/apis/apps/v1/namespaces/${namespace}/deployments`);
    return new Map(all.map((one) => (one as KubeObject).metadata).map((it) => [nameOf(it), it.generation]));
  };
  try {
    for (const object of objectsIn(namespace)) await make(call, object);
    await eventually('both sources have an adapter', async () => (await deployments()).size === 2, patienceMs);
    const before = await deployments();
    await make(call, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: later } });
    const changed = async () => {
      const now = await deployments();
      return [...now.keys()].filter((name) => now.get(name) !== before.get(name)).sort();
    };
    await eventually('an adapter is changed', async () => (await changed()).length > 0, patienceMs);
    return await changed();
  } finally {
    for (const name of [namespace, later]) await call('DELETE', `/api/v1/namespaces/${name}`);
    for (const kind of ['clusterrolebindings', 'clusterroles']) {
      await call('DELETE', `/apis/rbac.authorization.k8s.io/v1/${kind}/${namespace}`);
    }
    api.agent.destroy();
  }
}

function nameOf({ labels }: KubeObject['metadata']): string {
  return labels?.['eventing.knative.dev/sourceName'] ?? '';
}

/** Without it Knative asks for each verb in each namespace whether the account may, which takes its time. */
const unchecked = { 'features.knative.dev/apiserversource-skip-permissions-check': 'true' };

function objectsIn(namespace: string): readonly KubeObject[] {
  const source = (name: string, more: object): object => ({
    apiVersion: 'sources.knative.dev/v1',
    kind: 'ApiServerSource',
    metadata: { name, namespace, annotations: unchecked },
    spec: { serviceAccountName: 'sources', resources: [configMaps], sink: { uri: 'http://127.0.0.1:1' }, ...more },
  });
  const all = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    ...rightsIn(namespace),
    source('everywhere', { namespaceSelector: {} }),
    source('at-home', {}),
  ];
  return all as readonly KubeObject[];
}
