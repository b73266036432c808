import { asKnudgeError, type KnudgeError } from '../domain/errors.ts';
import { type KubeObject, refOf } from '../domain/kube-object.ts';
import type { Nudge } from '../domain/plan.ts';
import { patches, type Transport } from './call.ts';
import { readPage } from './pages.ts';
import { writeObject } from './write.ts';

/** Of one nudge. A Deployment of one replica has one Pod, and for a moment two. */
export const mostPods = 16;

/**
 * Annotates the Pods that a selector selects. Never fails: without it the kubelet looks within a minute and a half by itself.
 * @param onLost gets the errors, except for Pods that changed or went meanwhile: those were looked at already
 */
export async function nudgePods(
  transport: Transport,
  nudge: Nudge,
  onLost: (error: KnudgeError, nudge: Nudge) => void,
): Promise<void> {
  const { namespace, labelSelector } = nudge;
  try {
    const query = { apiVersion: 'v1', kind: 'Pod', namespace, labelSelector };
    const { objects } = await readPage(transport, query, { token: '', limit: mostPods, metadataOnly: true });
    await Promise.all(objects.filter((pod) => isBehind(pod, nudge)).map((pod) => annotate(transport, pod, nudge)));
  } catch (thrown) {
    const error = asKnudgeError(thrown);
    if (error.code !== 'conflict' && error.code !== 'gone') onLost(error, nudge);
  }
}

function isBehind({ metadata }: KubeObject, { annotations }: Nudge): boolean {
  return Object.entries(annotations).some(([key, value]) => metadata.annotations?.[key] !== value);
}

function annotate(transport: Transport, pod: KubeObject, { annotations }: Nudge): Promise<KubeObject> {
  const { uid, resourceVersion } = pod.metadata;
  const body = { metadata: { uid, resourceVersion, annotations } };
  const ref = { ...refOf(pod), apiVersion: 'v1', kind: 'Pod' };
  return writeObject(transport, { ref, verb: 'nudge', contentType: patches.merge, body });
}
