import { ownedLabels } from '../../../packages/controller/decide/owned.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { protocolOf } from '../discovery/pod-backends.ts';
import { podLayout } from '../envoy/data-plane.ts';
import { childName, labels } from '../names.ts';
import type { DistributedService } from '../types.ts';

/** The port of the balanced Service where the spec says no number of its own. */
const defaultPort = 80;

/**
 * The balanced service inside the cluster: what Envoy's listener gives, without the way through the FRP server. Its labels
 * also say which workload the service scales.
 */
export function balancedService(owner: DistributedService, scaler: Readonly<Record<string, string>>): KubeObject {
  const { metadata, spec } = owner;
  const port = typeof spec.backends.port === 'number' ? spec.backends.port : defaultPort;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: childName(metadata.name, 'balanced'),
      namespace: metadata.namespace ?? '',
      labels: { [labels.tunnel]: metadata.name, ...scaler },
    },
    spec: {
      type: 'ClusterIP',
      // The Pod is not ready while the FRP server is away, or no backend is healthy: inside the cluster the one changes nothing, and
      // of the other the error that Envoy then answers with must still be had.
      publishNotReadyAddresses: true,
      // Which Pod a client comes to is Envoy's to say.
      sessionAffinity: 'None',
      selector: { ...ownedLabels(owner), [labels.tunnel]: metadata.name },
      ports: [{ name: spec.serviceType, port, targetPort: podLayout.ingressPort, protocol: protocolOf(spec) }],
    },
  } as KubeObject;
}
