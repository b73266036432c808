/** What an API server has of a Broker that is ready, by path; with an audience it asks its senders for tokens. */
export function brokerObjects(audience?: string): Readonly<Record<string, object>> {
  const at = { namespace: 'knative-eventing', name: 'broker-ingress' };
  const url = 'http://broker-ingress.knative-eventing.svc.cluster.local/knudge/knudge';
  const status = { conditions: [{ type: 'Ready', status: 'True' }] };
  return {
    '/apis/eventing.knative.dev/v1/namespaces/knudge/brokers/knudge': {
      apiVersion: 'eventing.knative.dev/v1',
      kind: 'Broker',
      metadata: { namespace: 'knudge', name: 'knudge' },
      status: { address: { url, ...(audience !== undefined && { audience }) } },
    },
    '/api/v1/namespaces/knative-eventing/services/broker-ingress': {
      kind: 'Service',
      metadata: at,
      spec: { selector: { role: 'ingress' }, ports: [{ port: 80, targetPort: 8080 }] },
    },
    '/api/v1/namespaces/knative-eventing/pods': {
      kind: 'PodList',
      items: [{ metadata: { namespace: at.namespace, name: 'ingress-1' }, status }],
    },
  };
}
