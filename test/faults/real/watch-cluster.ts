import { outsideCluster } from '../../../packages/controller/cluster/outside.ts';
import { startWatch } from '../../../packages/controller/cluster/watch.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { NamespaceLog } from './namespace-log.ts';

/** One watch a kind for all runs at once; each change goes to the log of its namespace. */
export interface ClusterWatch {
  follow(namespace: string, log: NamespaceLog): void;
  unfollow(namespace: string): void;
  /** What went wrong with a watch: what happened meanwhile is lost to the traces. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

/** What Knudge makes, what it is made from, and what the controllers of Kubernetes make of it. */
const watched = [
  ['/api/v1', 'namespaces', 'v1', 'Namespace'],
  ['/api/v1', 'pods', 'v1', 'Pod'],
  ['/api/v1', 'services', 'v1', 'Service'],
  ['/api/v1', 'configmaps', 'v1', 'ConfigMap'],
  ['/api/v1', 'secrets', 'v1', 'Secret'],
  ['/apis/apps/v1', 'deployments', 'apps/v1', 'Deployment'],
  ['/apis/apps/v1', 'statefulsets', 'apps/v1', 'StatefulSet'],
  ['/apis/apps/v1', 'replicasets', 'apps/v1', 'ReplicaSet'],
  ['/apis/discovery.k8s.io/v1', 'endpointslices', 'discovery.k8s.io/v1', 'EndpointSlice'],
  ['/apis/frp.io/v1beta1', 'distributedservices', 'frp.io/v1beta1', 'DistributedService'],
  ['/apis/frp.io/v1beta1', 'claims', 'frp.io/v1beta1', 'Claim'],
  ['/apis/myorg.dev/v1', 'messages', 'myorg.dev/v1', 'Message'],
] as const;

/** Resolves when every watch stands. */
export async function watchCluster(kubeconfig: string): Promise<ClusterWatch> {
  const access = await outsideCluster({ kubeconfig });
  const logs = new Map<string, NamespaceLog>();
  const problems: string[] = [];
  const started = watched.map(([root, plural, apiVersion, kind]) => {
    const { promise: stands, resolve } = Promise.withResolvers<void>();
    const watch = startWatch({
      access,
      version: 'faults',
      path: `${root}/${plural}`,
      selector: '',
      seen: async (type, object) => {
        const typed = { ...object, apiVersion, kind } as KubeObject;
        const { name, namespace = name } = typed.metadata;
        logs.get(namespace)?.note(type, typed);
      },
      tell: (state) => {
        if (state.kind === 'blind') problems.push(`watch of ${plural}: ${state.why}`);
        resolve();
      },
      // Longer than any test: a new round would be a moment without sight.
      pace: { roundMs: 3_600_000 },
    });
    return { stands, watch };
  });
  await Promise.all(started.map(({ stands }) => stands));
  return {
    follow: (namespace, log) => void logs.set(namespace, log),
    unfollow: (namespace) => void logs.delete(namespace),
    problems,
    close: async () => {
      await Promise.all(started.map(({ watch }) => watch.close()));
    },
  };
}
