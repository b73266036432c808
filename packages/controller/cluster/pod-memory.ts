import type { KubeObject } from '../domain/kube-object.ts';
import type { Look } from './look.ts';
import { quantityReader } from './outside.ts';

interface PodMetrics extends KubeObject {
  readonly containers?: readonly { readonly usage?: { readonly memory?: string } }[];
}

/**
 * Bytes of memory of the Pods of a namespace that have this label, with their sidecars, by its value: as a metrics-server says it
 * (metrics.k8s.io/v1beta1). Empty where the cluster has none, or where the person may not ask it.
 */
export async function podMemory(
  look: Pick<Look, 'list'>,
  { namespace, label }: { readonly namespace: string; readonly label: string },
): Promise<ReadonlyMap<string, number>> {
  const what = { apiVersion: 'metrics.k8s.io/v1beta1', kind: 'PodMetrics', plural: 'pods' };
  const pods = await look.list(what, { namespace, labelSelector: label }).catch(() => []);
  const toNumber = await quantityReader();
  const memory = new Map<string, number>();
  for (const { metadata, containers = [] } of pods as readonly PodMetrics[]) {
    const name = metadata.labels?.[label] ?? '';
    const bytes = containers.map(({ usage }) => Number(toNumber(usage?.memory ?? '0')));
    memory.set(
      name,
      bytes.reduce((sum, one) => sum + one, memory.get(name) ?? 0),
    );
  }
  return memory;
}
