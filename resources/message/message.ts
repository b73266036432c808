import { defineResource } from '../../packages/controller/decide/define.ts';
import { notYet, type Ready, yes } from '../../packages/controller/decide/defined/ready.ts';
import { podState } from '../../packages/controller/decide/pod-state.ts';
import type { Resource } from '../../packages/controller/decide/resource.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { desiredPod } from './pod.ts';
import type { Message } from './types.ts';

const phases = { pending: 'Pending', ready: 'Processed', failed: 'Failed' } as const;

/** A Message: one Pod of this image that prints its text, and a status that says so. */
export function message(image: string): Resource {
  return defineResource<Message>()({
    apiVersion: 'myorg.dev/v1',
    kind: 'Message',
    children: ({ name }) => ({ pod: { apiVersion: 'v1', kind: 'Pod', name: `msg-${name}`, never: 'changed' } }),
    desired: ({ owner }) => ({ pod: desiredPod(owner.spec.text, image) }),
    ready: ({ children: { pod } }) => readyBy(pod),
    status: ({ state }, { names }) => ({ phase: phases[state], podName: names.pod }),
  });
}

function readyBy(pod: KubeObject | undefined): Ready {
  const { isReady, trouble } = podState(pod);
  if (isReady) return yes('PodReady', 'The Pod prints the text', 'Processed');
  if (trouble === undefined) return notYet('PodStarting', 'The Pod is not ready yet');
  return notYet('PodBlocked', `The Pod does not start: ${trouble}`);
}
