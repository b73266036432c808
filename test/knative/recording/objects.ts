import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { distributedService, message, object, serverProfile } from '../../build/objects.ts';
import { places } from '../places.ts';

const namespace = places.events;

/** On every node of these tests; the second is another only by its name. */
const images = { first: 'docker.io/library/busybox:1.37.0', second: 'docker.io/fatedier/frps:v0.71.1' } as const;

const podOf = (app: string) => ({
  metadata: { namespace, labels: { app } },
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [
      {
        name: 'c',
        image: images.first,
        command: ['/bin/sleep', '600'],
        resources: { requests: { cpu: '10m', memory: '16Mi' } },
      },
    ],
  },
});

export const secondImage = `c=${images.second}`;

const profile = serverProfile('recorded');

/** What is made, changed and deleted so that it is recorded. */
export const subjects = {
  configMap: (value: string): KubeObject => object('ConfigMap', 'c1', { metadata: { namespace }, data: { k: value } }),
  refused: (name: string): KubeObject => object('ConfigMap', name, { metadata: { namespace }, data: { k: 'v1' } }),
  secret: object('Secret', 'web-identity', { metadata: { namespace }, stringData: { token: 'not-a-secret' } }),
  priority: {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'ev-other' },
    value: 1,
    description: 'For a recording.',
  } as KubeObject,
  pod: object('Pod', 'p1', podOf('p1')),
  deployment: object('apps/v1 Deployment', 'web', {
    metadata: { namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      template: { ...podOf('web'), metadata: { labels: { app: 'web' } } },
    },
  }),
  service: (name: string): KubeObject =>
    object('Service', name, {
      metadata: { namespace },
      spec: { selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
    }),
  distributedService: distributedService(
    'ds1',
    {
      serviceType: 'http',
      backends: { discovery: 'auto', port: 80, replicas: 2 },
      expose: { domains: ['ds1.example.com'] },
    },
    { namespace, labels: { app: 'ds1' }, finalizers: ['frp.io/cleanup'] },
  ),
  profile: { ...profile, metadata: { ...profile.metadata, namespace } },
  claimant: distributedService(
    'claimant',
    {
      serverProfile: 'recorded',
      backends: { discovery: 'manual', port: 8080, replicas: 1, endpoints: [{ host: '10.9.0.1', weight: 1 }] },
      expose: { remotePort: 7001 },
    },
    { namespace },
  ),
  message: (text: string): KubeObject => message('hello', text, { namespace }),
} as const;
