import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { BackendServer } from './backends.ts';
import { backendPod, podStatus } from './objects.ts';
import type { DataPlane } from './world.ts';

type Place = Pick<BackendServer, 'name' | 'address' | 'port'>;

/** What happens to the Pods of backends, as their own kubelet would report it. */
export interface BackendPods {
  add(server: Place, labels?: Readonly<Record<string, string>>): void;
  ready(server: Place, isReady: boolean): void;
  /** It is being deleted, and still serves. */
  drain(server: Place): void;
  /** It has ended. */
  remove(server: Place): void;
}

export function backendPods({ cluster: { client } }: Pick<DataPlane, 'cluster'>): BackendPods {
  const refOf = ({ name }: Place) => ({ apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name });
  const change = (server: Place, part: object): KubeObject => {
    const live = client.get(refOf(server));
    if (live === undefined) throw new Error(`there is no Pod ${server.name}`);
    return client.updateStatus({ ...live, ...part } as KubeObject);
  };
  const ready = (server: Place, isReady: boolean): void =>
    void change(server, { status: podStatus(server.address, isReady) });
  return {
    ready,
    add: (server, labels) => {
      client.create(backendPod({ ...server, ...(labels && { labels }) }));
      // A status is no part of a creation.
      ready(server, true);
    },
    drain: (server) => client.delete(refOf(server)),
    remove: (server) => client.delete(refOf(server), { gracePeriodSeconds: 0 }),
  };
}
