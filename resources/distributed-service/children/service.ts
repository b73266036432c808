import { ownedLabels } from '../../../packages/controller/decide/owned.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { protocolOf } from '../discovery/pod-backends.ts';
import { podLayout } from '../envoy/data-plane.ts';
import { childName, labels } from '../names.ts';
import type { DistributedService } from '../types.ts';

/** The port of the balanced Service if the spec names the port of the backends instead of numbering it. */
const defaultPort = 80;

/**
 * The Service by which clients inside the cluster reach Envoy's listener, without the way through the FRP server. Its labels
 * also say which workload the DistributedService scales.
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
      // The Pod is not ready while the FRP server is away or no backend is healthy. Clients inside the cluster do not need the FRP
      // server, and if no backend is healthy they should get Envoy's error instead of no connection.
      publishNotReadyAddresses: true,
      // No session affinity: Envoy balances.
      sessionAffinity: 'None',
      selector: { ...ownedLabels(owner), [labels.tunnel]: metadata.name },
      ports: [{ name: spec.serviceType, port, targetPort: podLayout.ingressPort, protocol: protocolOf(spec) }],
    },
  } as KubeObject;
}
