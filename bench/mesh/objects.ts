/** The namespace of everything that a bench writes. */
export const namespace = 'bench';

export const paths = {
  namespace: `/api/v1/namespaces/${namespace}`,
  namespaces: '/api/v1/namespaces',
  pods: `/api/v1/namespaces/${namespace}/pods`,
  configMaps: `/api/v1/namespaces/${namespace}/configmaps`,
  messages: `/apis/myorg.dev/v1/namespaces/${namespace}/messages`,
  distributedServices: `/apis/frp.io/v1beta1/namespaces/${namespace}/distributedservices`,
} as const;

export function message(name: string): object {
  return { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata: { name, namespace }, spec: { text: `I am ${name}` } };
}

/** Has our label without an owner: the source reports it, and its function has nothing to do. No scheduler takes it. */
export function nobodysPod(name: string): object {
  const own = pod(name) as { readonly metadata: object; readonly spec: object };
  return {
    ...own,
    metadata: { ...own.metadata, labels: { 'knudge.dev/owner-uid': 'nobody' } },
    spec: { ...own.spec, schedulerName: 'nobody' },
  };
}

/** About what a Message gets. */
export function pod(name: string): object {
  const container = {
    name: 'print',
    image: 'busybox:1.37',
    command: ['sh', '-c', 'while true; do printf "%s\\n" "$TEXT"; sleep 10; done'],
    env: [{ name: 'TEXT', value: `I am ${name}` }],
    resources: { requests: { cpu: '5m', memory: '8Mi' }, limits: { memory: '16Mi' } },
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
  };
  const spec = {
    containers: [container],
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: 65_534, seccompProfile: { type: 'RuntimeDefault' } },
  };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace }, spec };
}

export function configMap(name: string): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { text: `I am ${name}` } };
}

export function distributedService(name: string): object {
  return {
    apiVersion: 'frp.io/v1beta1',
    kind: 'DistributedService',
    metadata: { name, namespace },
    spec: {
      serviceType: 'http',
      backends: { discovery: 'auto', port: 8080 },
      expose: { domains: [`${name}.example.com`], locations: ['/'] },
    },
  };
}

export function names(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${String(index)}`);
}
