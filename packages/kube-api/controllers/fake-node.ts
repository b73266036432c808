import type { KubeObject, ObjectRef } from '../../controller/domain/kube-object.ts';
import { refOf } from '../../controller/domain/kube-object.ts';
import type { Client } from '../client.ts';
import type { Json, JsonObject } from '../json.ts';
import { type Controller, conditionsOf, type Parts, partOf, pods, withPart } from './controller.ts';

export const fakeNode = 'fake-node';

/** Scheduler and kubelet of one node that runs nothing: Pods are bound, become ready with an address, and end when deleted. */
export function nodeController(): Controller {
  const addresses = new Map<string, string>();
  const taken = new Set<string>();
  let last = 0;

  /** 10.0.0.1 and on, each once as long as its Pod is there. */
  function addressFor(pod: KubeObject, client: Client): string {
    if (last === 0) for (const other of client.list(pods)) keep(other);
    const { uid = '' } = pod.metadata;
    const known = addresses.get(uid);
    if (known !== undefined) return known;
    let address: string;
    do {
      last = (last % 65_534) + 1;
      address = `10.0.${last >> 8}.${last & 255}`;
    } while (taken.has(address));
    take(uid, address);
    return address;
  }

  function keep(pod: KubeObject): void {
    const { podIP } = partOf(pod, 'status');
    if (typeof podIP === 'string') take(pod.metadata.uid ?? '', podIP);
  }

  function take(uid: string, address: string): void {
    addresses.set(uid, address);
    taken.add(address);
  }

  return {
    concerns: (changed) => {
      if (changed.kind !== 'Pod') return [];
      return [refOf(changed)];
    },
    reconcile: (ref, { client, now }) => {
      const pod = client.get(ref);
      if (pod === undefined) return;
      const { nodeName, schedulerName, schedulingGates } = partOf(pod, 'spec');
      if (pod.metadata.deletionTimestamp !== undefined) return end(pod, ref, client);
      if (nodeName === undefined) {
        if (schedulerName === 'default-scheduler' && schedulingGates === undefined) client.bind(ref, fakeNode);
        return;
      }
      const { phase } = partOf(pod, 'status');
      if (nodeName === fakeNode && (phase === undefined || phase === 'Pending')) {
        client.updateStatus(withPart(pod, 'status', runningStatus(pod, addressFor(pod, client), now())));
      }
    },
  };

  function end(pod: KubeObject, ref: ObjectRef, client: Parts['client']): void {
    const { uid = '' } = pod.metadata;
    taken.delete(addresses.get(uid) ?? '');
    addresses.delete(uid);
    // Finalizers hold a Pod that has stopped.
    if (partOf(pod, 'metadata')['deletionGracePeriodSeconds'] === 0) return;
    client.delete(ref, { uid: pod.metadata.uid ?? '', gracePeriodSeconds: 0 });
  }
}

function runningStatus(pod: KubeObject, address: string, now: string): JsonObject {
  const known = new Set(['Initialized', 'Ready', 'ContainersReady', 'PodScheduled']);
  const others = conditionsOf(pod).filter(({ type }) => typeof type === 'string' && !known.has(type));
  const conditions = [...known].map((type) => ({ lastProbeTime: null, lastTransitionTime: now, status: 'True', type }));
  const { containers = [] } = partOf(pod, 'spec');
  const containerStatuses = (containers as readonly JsonObject[]).map(({ name = '', image = '' }): Json => {
    const state = { running: { startedAt: now } };
    return { image, imageID: '', lastState: {}, name, ready: true, restartCount: 0, state };
  });
  return {
    ...partOf(pod, 'status'),
    conditions: [...conditions, ...others],
    containerStatuses,
    phase: 'Running',
    podIP: address,
    podIPs: [{ ip: address }],
    startTime: now,
  };
}
