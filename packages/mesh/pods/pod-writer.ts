import { patches, type Transport } from '../../controller/cluster/call.ts';
import { objectPath } from '../../controller/cluster/paths.ts';
import { asKnudgeError } from '../../controller/domain/errors.ts';
import { describe, type KubeObject, refOf } from '../../controller/domain/kube-object.ts';
import type { Pod } from './pod-spec.ts';

/** Writes what a node says of its Pods. */
export interface PodWriter {
  /** Writes the newest status of a Pod; what changes meanwhile is written afterwards. */
  status(uid: string, newest: () => { readonly pod: Pod; readonly status: object }): void;
  /** Where clients find a Service that is open to the outside. */
  address(service: KubeObject, ip: string): void;
  /** The Pod has ended, so the API server may forget it. */
  gone(pod: Pod): Promise<void>;
}

/** Milliseconds between two tries. */
const pauseMs = 500;
const mostTries = 5;

export function createPodWriter(transport: Transport, warn: (sentence: string) => void): PodWriter {
  const writing = new Set<string>();
  const again = new Set<string>();

  async function writeStatus({ pod, status }: { readonly pod: Pod; readonly status: object }): Promise<void> {
    const { uid } = pod.metadata;
    await transport({
      method: 'PATCH',
      verb: 'status',
      resource: 'pods/status',
      contentType: patches.merge,
      target: describe(refOf(pod)),
      path: objectPath(refOf(pod), 'status'),
      body: { metadata: { uid }, status },
    });
  }

  async function publish(service: KubeObject, ip: string): Promise<void> {
    await transport({
      method: 'PATCH',
      verb: 'status',
      resource: 'services/status',
      contentType: patches.merge,
      target: describe(refOf(service)),
      path: objectPath(refOf(service), 'status'),
      body: { status: { loadBalancer: { ingress: [{ ip, ipMode: 'VIP' }] } } },
    });
  }

  async function forget(pod: Pod): Promise<void> {
    await transport({
      method: 'DELETE',
      verb: 'delete',
      resource: 'pods',
      target: describe(refOf(pod)),
      path: objectPath(refOf(pod)),
      body: { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } },
    });
  }

  /** What is gone, or is another Pod of the same name by now, needs nothing any more. */
  async function insist(task: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await task();
      } catch (error) {
        const { code, message } = asKnudgeError(error);
        if (code === 'gone' || code === 'conflict') return;
        if (tries === mostTries) return warn(`the API server did not take what the node says: ${message}`);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }

  return {
    status: (uid, newest) => {
      again.add(uid);
      if (writing.has(uid)) return;
      writing.add(uid);
      void (async () => {
        while (again.delete(uid)) await insist(() => writeStatus(newest()));
        writing.delete(uid);
      })();
    },
    address: (service, ip) => void insist(() => publish(service, ip)),
    gone: (pod) => insist(() => forget(pod)),
  };
}
