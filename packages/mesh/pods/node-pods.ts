import { join } from 'node:path';
import type { KubeObject } from '../../controller/domain/kube-object.ts';
import type { PodAddresses } from './addresses.ts';
import { folderOf } from './log-in.ts';
import { nodeName } from './node-name.ts';
import type { Pod } from './pod-spec.ts';
import type { PodWriter } from './pod-writer.ts';
import { type RunningPod, type RunningPodParts, runPod } from './running-pod.ts';

type Given = Pick<RunningPodParts, 'machine' | 'lookUp' | 'backOffMs'>;

export interface NodePodsParts extends Given {
  /** Where each Pod gets a folder of its own. */
  readonly folder: string;
  readonly find: (kind: string, namespace: string, name: string) => KubeObject | undefined;
  readonly writer: PodWriter;
  readonly addresses: PodAddresses;
  readonly warn: (sentence: string) => void;
}

/** The Pods of one node. */
export interface NodePods {
  see(pod: Pod, isGone: boolean): void;
  /** Writes what ConfigMaps, Secrets and Services are now into the volumes of all. */
  refresh(): void;
  close(graceMs: number): Promise<void>;
}

interface Kept {
  pod: Pod;
  readonly address: string;
  readonly running: RunningPod;
  isLeaving: boolean;
}

/** Starts the Pods of the node that are seen, reports them, and ends those that are deleted. */
export function createNodePods({ folder, find, writer, addresses, warn, ...given }: NodePodsParts): NodePods {
  const kept = new Map<string, Kept>();
  let isClosing = false;

  function start(pod: Pod): void {
    const { uid = '', namespace = '', name } = pod.metadata;
    const address = addresses.take(pod.status?.podIP);
    if (address === undefined) {
      warn(`no address is free for Pod ${namespace}/${name}: delete another Pod, then this one`);
      return;
    }
    const running = runPod(pod, {
      ...given,
      address,
      folder: join(folder, folderOf({ namespace, name, uid })),
      find: (kind, wanted) => find(kind, namespace, wanted),
      onChange: () => say(uid),
    });
    kept.set(uid, { pod, address, running, isLeaving: false });
    running.refresh();
  }

  function say(uid: string): void {
    const one = kept.get(uid);
    if (one === undefined || one.isLeaving) return;
    writer.status(uid, () => ({ pod: one.pod, status: one.running.status(one.pod) }));
  }

  async function end(pod: Pod, one: Kept | undefined): Promise<void> {
    if (one?.isLeaving) return;
    const { deletionGracePeriodSeconds = 30 } = pod.metadata;
    if (one !== undefined) await leave(one, deletionGracePeriodSeconds * 1000);
    await writer.gone(pod);
  }

  async function leave(one: Kept, graceMs: number): Promise<void> {
    one.isLeaving = true;
    await one.running.stop(graceMs);
    addresses.free(one.address);
    kept.delete(one.pod.metadata.uid ?? '');
  }

  return {
    see: (pod, isGone) => {
      if (pod.spec.nodeName !== nodeName || isClosing) return;
      const one = kept.get(pod.metadata.uid ?? '');
      if (one !== undefined) one.pod = pod;
      if (isGone) void (one && leave(one, 0));
      else if (pod.metadata.deletionTimestamp !== undefined) void end(pod, one);
      else if (one === undefined && !isOver(pod)) start(pod);
    },
    refresh: () => {
      for (const one of kept.values()) if (!one.isLeaving) one.running.refresh();
    },
    close: async (graceMs) => {
      isClosing = true;
      await Promise.all([...kept.values()].map((one) => leave(one, graceMs)));
    },
  };
}

function isOver({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}
