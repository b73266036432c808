import { desiredPod } from '../../resources/message/pod.ts';
import type { Message } from '../../resources/message/types.ts';

/** The namespace of the Messages and of the unrelated Pods. */
export const namespace = 'bench-peers';
export const elsewhere = 'bench-unrelated';
export const accounts = 'bench-accounts';

export const paths = {
  pods: `/api/v1/namespaces/${namespace}/pods`,
  configMaps: `/api/v1/namespaces/${namespace}/configmaps`,
  messages: `/apis/myorg.dev/v1/namespaces/${namespace}/messages`,
  unrelated: `/api/v1/namespaces/${elsewhere}/pods`,
} as const;

const image = 'busybox:1.37';

export function message(name: string): Message {
  const metadata = { name, namespace };
  return { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata, spec: { text: `I am ${name}` } };
}

/** The spec that all contestants put into a Pod: Knudge's own, in which they replace the text. */
export const podSpec = desiredPod(message('any').spec.text, image).spec;

/** Not scheduled, so that it is only one event. */
export function unrelatedPod(name: string): object {
  const spec = { ...podSpec, schedulerName: 'nobody' };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: elsewhere }, spec };
}
