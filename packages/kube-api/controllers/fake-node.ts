import type { KubeObject, ObjectRef } from '../../controller/domain/kube-object.ts';
import { refOf } from '../../controller/domain/kube-object.ts';
import type { Client } from '../client.ts';
import type { Json, JsonObject } from '../json.ts';
import { type Controller, conditionsOf, type Parts, partOf, pods, withPart } from './controller.ts';

export const fakeNode = 'fake-node';

/** A node with a kubelet of its own. The scheduler gives it the Pods whose images are all programs that it has. */
export interface OtherNode {
  readonly name: string;
  /** Images by their names, without registry and tag. */
  readonly programs: readonly string[];
}

/** Scheduler and kubelet of one node that runs nothing: Pods are bound, become ready with an address or, of a Job, succeed, and end when deleted. */
export function nodeController(other?: OtherNode): Controller {
  const addresses = new Map<string, string>();
  const taken = new Set<string>();
  let last = 0;

  /** 10.0.0.1 and on; an address is used again only after its Pod is gone. */
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
      const { nodeName } = partOf(pod, 'spec');
      if (nodeName !== undefined && nodeName === other?.name) return;
      if (pod.metadata.deletionTimestamp !== undefined) end(pod, ref, client);
      else if (nodeName === undefined) schedule(pod, ref, client);
      else if (nodeName === fakeNode && isNew(pod)) {
        client.updateStatus(withPart(pod, 'status', runningStatus(pod, addressFor(pod, client), now())));
      } else if (nodeName === fakeNode && isOfJob(pod) && partOf(pod, 'status')['phase'] === 'Running') {
        client.updateStatus(withPart(pod, 'status', succeededStatus(pod, now())));
      }
    },
  };

  function schedule(pod: KubeObject, ref: ObjectRef, client: Client): void {
    const { schedulerName, schedulingGates } = partOf(pod, 'spec');
    if (schedulerName !== 'default-scheduler' || schedulingGates !== undefined) return;
    // A process that ends is started again there, and that of a Job must not be.
    const isForOther = other !== undefined && !isOfJob(pod) && hasPrograms(pod, other);
    client.bind(ref, isForOther ? other.name : fakeNode);
  }

  function end(pod: KubeObject, ref: ObjectRef, client: Parts['client']): void {
    const { uid = '' } = pod.metadata;
    taken.delete(addresses.get(uid) ?? '');
    addresses.delete(uid);
    // A Pod that has stopped and is still there is held by finalizers.
    if (partOf(pod, 'metadata')['deletionGracePeriodSeconds'] === 0) return;
    client.delete(ref, { uid: pod.metadata.uid ?? '', gracePeriodSeconds: 0 });
  }
}

function isNew(pod: KubeObject): boolean {
  const { phase } = partOf(pod, 'status');
  return phase === undefined || phase === 'Pending';
}

function isOfJob({ metadata }: KubeObject): boolean {
  return metadata.ownerReferences?.some(({ kind, controller }) => kind === 'Job' && controller === true) ?? false;
}

function hasPrograms(pod: KubeObject, { programs }: OtherNode): boolean {
  const { containers = [], initContainers } = partOf(pod, 'spec');
  const images = (containers as readonly JsonObject[]).map(({ image = '' }) => String(image));
  return initContainers === undefined && images.every((image) => programs.includes(programOf(image)));
}

/** `registry:5000/team/server:v1` → `server`. */
export function programOf(image: string): string {
  return /([^/:@]+)(:[^/]*)?(@.*)?$/.exec(image)?.[1] ?? '';
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

/** As a Pod is after its containers have ended without a fault. */
function succeededStatus(pod: KubeObject, now: string): JsonObject {
  const { containers = [] } = partOf(pod, 'spec');
  const terminated = { exitCode: 0, finishedAt: now, reason: 'Completed', startedAt: now };
  const containerStatuses = (containers as readonly JsonObject[]).map(({ name = '', image = '' }): Json => {
    const state = { terminated };
    return { image, imageID: '', lastState: {}, name, ready: false, restartCount: 0, started: false, state };
  });
  const conditions = conditionsOf(pod).map((one) =>
    one['type'] === 'Ready' || one['type'] === 'ContainersReady'
      ? { ...one, status: 'False', reason: 'PodCompleted', lastTransitionTime: now }
      : one,
  );
  return { ...partOf(pod, 'status'), conditions, containerStatuses, phase: 'Succeeded' };
}
