import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Client } from '../../../packages/kube-api/client.ts';
import { ApiProblem } from '../../../packages/kube-api/http/problem.ts';
import { labels } from '../../../resources/distributed-service/names.ts';
import type { Network, PodNetwork } from './network.ts';
import { type Damage, type PodVolumes, podVolumes } from './pod-volumes.ts';
import { type RunningPod, runPod } from './running-pod.ts';

export interface KubeletParts {
  readonly client: Client;
  readonly network: Network;
  /** An empty folder for volumes and roots. */
  readonly folder: string;
  /**
   * When a changed ConfigMap or Secret is written into the volumes of a running Pod: `at-once`, or as the real kubelet
   * does it, when the Pod itself changes (an annotation is enough) and else a minute or more later: never, in a test.
   */
  readonly refresh: 'at-once' | 'with-the-pod';
  readonly damage?: Damage | undefined;
}

export interface Kubelet {
  /** The Pods that run now, oldest first, by uid. */
  readonly running: ReadonlyMap<string, RunningPod>;
  /** Ends everything at once; nothing is reported any more. */
  close(): void;
}

interface Kept {
  readonly volumes: PodVolumes;
  readonly network: PodNetwork;
  pod: KubeObject;
  running?: RunningPod;
  stopping?: boolean;
}

const nodeName = 'this-machine';

/** Scheduler and kubelet of one node. It runs the Pods of tunnels; those that a test has made are the test's to report. */
export function startKubelet({ client, network, folder, refresh, damage }: KubeletParts): Kubelet {
  const kept = new Map<string, Kept>();
  const running = new Map<string, RunningPod>();

  function see({ type, object }: { readonly type: string; readonly object: KubeObject }): void {
    if (object.kind === 'Pod') seePod(type, object);
    for (const one of kept.values()) {
      if (one.volumes.uses(object) && (refresh === 'at-once' || one.running === undefined)) refreshVolumes(one);
    }
  }

  function seePod(type: string, pod: KubeObject): void {
    if (pod.metadata.labels?.[labels.tunnel] === undefined) return;
    if (pod.metadata.deletionTimestamp !== undefined) {
      void leave(pod, type === 'DELETED');
      return;
    }
    const { uid = '' } = pod.metadata;
    const known = kept.get(uid);
    if (type === 'DELETED' || known?.stopping === true) return;
    if (known !== undefined) {
      const before = known.pod;
      known.pod = pod;
      // Its own status is no change that the kubelet acts on.
      if (!isDeepStrictEqual(ordersOf(before), ordersOf(pod))) refreshVolumes(known);
      return;
    }
    const place = join(folder, uid);
    const volumes = podVolumes(pod, { folder: join(place, 'volumes'), client, damage });
    const fresh: Kept = { pod, network: network.addPod(), volumes };
    kept.set(uid, fresh);
    client.bind(refOf(pod), nodeName);
    refreshVolumes(fresh);
  }

  function refreshVolumes(one: Kept): void {
    const missing = one.volumes.refresh();
    if (one.running !== undefined || missing.length > 0) return;
    const { uid = '' } = one.pod.metadata;
    const onChange = (): void => tell(one);
    one.running = runPod({ ...one, folder: join(folder, uid), onChange });
    running.set(uid, one.running);
    tell(one);
  }

  function tell({ pod, running: now, stopping }: Kept): void {
    const live = client.get(refOf(pod));
    if (live === undefined || now === undefined || stopping === true || live.metadata.uid !== pod.metadata.uid) return;
    client.updateStatus({ ...live, status: statusOf(now) } as KubeObject);
  }

  async function leave(pod: KubeObject, isGone: boolean): Promise<void> {
    const { uid = '' } = pod.metadata;
    const one = kept.get(uid);
    if (one?.stopping === true || isGone) return;
    if (one !== undefined) one.stopping = true;
    await one?.running?.stop();
    one?.network.close();
    running.delete(uid);
    kept.delete(uid);
    if (client.get(refOf(pod))?.metadata.uid === uid) client.delete(refOf(pod), { uid, gracePeriodSeconds: 0 });
  }

  /** What is gone by now needs nothing any more. */
  function seeSafely(change: Parameters<typeof see>[0]): void {
    try {
      see(change);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
    }
  }

  const stopListening = client.subscribe((change) => setImmediate(seeSafely, change));
  return {
    running,
    close: () => {
      stopListening();
      for (const { running: one, network: own } of kept.values()) {
        one?.kill();
        own.close();
      }
    },
  };
}

function ordersOf({ metadata, ...rest }: KubeObject): unknown {
  return [metadata.labels, metadata.annotations, (rest as { spec?: unknown }).spec];
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function statusOf({ address, containers }: RunningPod): object {
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const all = [...containers.values()].every(({ ready }) => ready);
  const condition = (type: string, isSo: boolean) => ({
    type,
    status: isSo ? 'True' : 'False',
    lastTransitionTime: now,
  });
  return {
    phase: 'Running',
    podIP: address,
    podIPs: [{ ip: address }],
    startTime: now,
    conditions: [
      condition('PodScheduled', true),
      condition('Initialized', true),
      condition('ContainersReady', all),
      condition('Ready', all),
    ],
    containerStatuses: [...containers].map(([name, { ready, started, restarts, container }]) => ({
      name,
      ready,
      started,
      state: hasEnded(container.process) ? { waiting: {} } : { running: { startedAt: now } },
      restartCount: restarts,
      image: '',
      imageID: '',
    })),
  };
}
