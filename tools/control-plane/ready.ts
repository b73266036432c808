import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from './api-client.ts';
import { ClusterError } from './errors.ts';
import { podsInDeletion } from './kwok/pods-in-deletion.ts';

export type Expectation = {
  /** A controller manager runs, so that the default ServiceAccount appears. */
  controllers: boolean;
  /** kwok runs, so that a fake Node becomes Ready. */
  fakeNode: boolean;
  /** Throws if the cluster has ended, so that the wait ends too. */
  checkAlive: () => void;
};

const readyTimeoutMs = 120_000;

/** Registers the fake node and waits until Pods can be made. Throws ClusterError if that takes more than two minutes. */
export async function waitUntilUsable(
  call: ApiClient,
  { controllers, fakeNode, checkAlive }: Expectation,
): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  const until = async (what: string, test: () => Promise<boolean>) => {
    // A server that has just begun to listen refuses, resets or answers late: each of these means "not yet".
    while (!(await test().catch(() => false))) {
      checkAlive();
      if (Date.now() > deadline)
        throw new ClusterError(`The cluster does not get ready: no ${what} after ${readyTimeoutMs / 1000} seconds.`);
      await sleep(100);
    }
  };
  const answers = (path: string, status: number) => async () => (await call('GET', path)).status === status;

  await until('answer to /readyz', answers('/readyz', 200));
  if (fakeNode)
    for (const { path, object } of [...podsInDeletion, { path: '/api/v1/nodes', object: node }])
      await until(object.kind, async () => [201, 409].includes((await call('POST', path, object)).status));
  if (controllers)
    await until('default ServiceAccount', answers('/api/v1/namespaces/default/serviceaccounts/default', 200));
  if (fakeNode)
    await until('Ready condition of the fake node', async () =>
      acceptsPods((await call('GET', `/api/v1/nodes/${node.metadata.name}`)).body, controllers),
    );
}

const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'fake-node',
    annotations: { 'kwok.x-k8s.io/node': 'fake' },
    labels: {
      'kubernetes.io/hostname': 'fake-node',
      'kubernetes.io/os': 'linux',
      'kubernetes.io/arch': 'amd64',
      type: 'kwok',
    },
  },
};

type Node = { spec: { taints?: { key: string }[] }; status: { conditions?: { type: string; status: string }[] } };

/** Whether a Pod can run on this node. A controller removes a new node's taint; until then no Pod is put there. */
export function acceptsPods(body: unknown, controllers: boolean): boolean {
  const { spec, status } = body as Node;
  const ready = status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  return ready && !(controllers && spec.taints?.some(({ key }) => key === 'node.kubernetes.io/not-ready'));
}
