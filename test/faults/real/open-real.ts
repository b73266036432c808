import { apiFrom } from '../../kube/api.ts';
import { install } from '../../kube/install.ts';
import { openUpstream, type Upstream } from '../proxy/upstream.ts';
import type { Place } from '../scenario.ts';
import { knowsMessage } from './garbage-collector.ts';
import { createOwnTime } from './own-time.ts';
import { createPlaces } from './places.ts';
import { type ClusterWatch, watchCluster } from './watch-cluster.ts';

/** A real API server with Knudge's CRDs, made ready for any number of runs. */
export interface RealCluster {
  readonly kubeconfig: string;
  readonly upstream: Upstream;
  readonly watch: ClusterWatch;
  /** Milliseconds that this process has run since. */
  readonly ownTime: () => number;
  /** A new namespace, ready to take Pods, and the name of one for the controller. */
  openPlace(): Promise<Place>;
  close(): Promise<void>;
}

export async function openReal(kubeconfig: string): Promise<RealCluster> {
  const api = apiFrom(kubeconfig);
  await install(api);
  await knowsMessage(api);
  const { ask: upstream, close } = await openUpstream(kubeconfig);
  const watch = await watchCluster(kubeconfig);
  const { elapsed: ownTime, stop } = createOwnTime();
  const nextPlace = createPlaces();
  return {
    kubeconfig,
    upstream,
    watch,
    ownTime,
    openPlace: async () => {
      const place = nextPlace();
      // Claims are in the controller's.
      await Promise.all(Object.values(place).map((name) => makeNamespace(name, upstream)));
      return place;
    },
    close: async () => {
      stop();
      await watch.close();
      close();
    },
  };
}

async function makeNamespace(name: string, upstream: Upstream): Promise<void> {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const headers = { 'content-type': 'application/json' };
  const { status, text } = await upstream({ method: 'POST', path: '/api/v1/namespaces', headers, body });
  if (status !== 201) throw new Error(`the namespace ${name} was refused: ${String(status)} ${text.slice(0, 300)}`);
  const path = `/api/v1/namespaces/${name}/serviceaccounts/default`;
  for (let looks = 0; looks < 3000; looks += 1) {
    const account = await upstream({ method: 'GET', path, headers: {}, body: undefined });
    if (account.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`the namespace ${name} has no ServiceAccount`);
}
