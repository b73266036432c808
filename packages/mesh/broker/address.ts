import type { Destination } from '../cloud-event.ts';

/** The address of a destination in a cluster, as dead letters name it. */
export function addressOf(to: Destination): string {
  switch (to.kind) {
    case 'function':
      return `http://${to.name}.${to.namespace}.svc.cluster.local${to.path ?? ''}`;
    case 'channel':
      return `http://${to.name}-kn-channel.${to.namespace}.svc.cluster.local`;
    case 'broker':
      return `http://broker-ingress.knative-eventing.svc.cluster.local/${to.namespace}/${to.name}`;
    case 'uri':
      return to.uri;
  }
}
