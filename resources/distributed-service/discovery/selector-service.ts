import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { childName, labels } from '../names.ts';
import type { DistributedService } from '../types.ts';
import { needsPodList } from './backend-selector.ts';
import { protocolOf } from './pod-backends.ts';

/**
 * The headless Service of selector discovery. Its EndpointSlices carry its labels, so that the source of events can
 * select them without watching every Pod. Undefined with another discovery, or if the selector has expressions,
 * which a Service does not support.
 */
export function selectorService({ metadata, spec }: DistributedService): KubeObject | undefined {
  const { discovery, selector = {}, port } = spec.backends;
  if (discovery !== 'selector' || needsPodList(selector)) return undefined;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: childName(metadata.name, 'backends'),
      namespace: metadata.namespace ?? '',
      labels: { [labels.service]: metadata.name },
    },
    spec: {
      type: 'ClusterIP',
      clusterIP: 'None',
      // Otherwise Kubernetes would report each endpoint as ready.
      publishNotReadyAddresses: false,
      selector: selector.matchLabels ?? {},
      ports: [
        { name: 'backend', port: typeof port === 'number' ? port : 1, targetPort: port, protocol: protocolOf(spec) },
      ],
    },
  } as KubeObject;
}
