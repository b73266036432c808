import { type Case, core, get, group, post } from '../case.ts';
import { configMap, deployment, image, job, pod, replicaSet } from './bodies.ts';

const one = (name: string, path: string, body: unknown): Case => ({
  name,
  steps: [post(path, body)],
});

/** ConfigMaps and workloads with the defaults that they get. */
export const createCases: readonly Case[] = [
  {
    name: 'a ConfigMap keeps what it was given and gets nothing but metadata',
    steps: [post(core('configmaps'), configMap()), get(core('configmaps', 'web'))],
  },
  one('a ConfigMap without apiVersion and kind is taken by its path', core('configmaps'), {
    metadata: { name: 'web' },
    binaryData: { raw: 'AAEC' },
    immutable: true,
  }),
  one('a smallest Pod gets the defaults of the API and of admission', core('pods'), pod()),
  one('the ports, probes, volumes and resources of a Pod get their defaults', core('pods'), {
    ...pod({
      containers: [
        {
          name: 'web',
          image: 'example.com/web:latest',
          ports: [{ containerPort: 80 }],
          resources: { limits: { cpu: '1', memory: '128Mi' } },
          readinessProbe: { httpGet: { port: 80 } },
          livenessProbe: { tcpSocket: { port: 'web' }, periodSeconds: 5 },
          env: [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
        },
      ],
      initContainers: [{ name: 'first', image: 'example.com/first' }],
      volumes: [
        { name: 'config', configMap: { name: 'web' } },
        { name: 'secret', secret: { secretName: 'web' } },
        { name: 'empty', emptyDir: {} },
        {
          name: 'own',
          projected: {
            sources: [{ downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } }],
          },
        },
        { name: 'host', hostPath: { path: '/tmp' } },
      ],
      serviceAccountName: 'default',
      automountServiceAccountToken: false,
    }),
  }),
  one('a Pod may use the network of its host, which its ports then show', core('pods'), {
    ...pod({ hostNetwork: true, containers: [{ name: 'web', image, ports: [{ containerPort: 80 }] }] }),
  }),
  one('a Pod keeps tolerations of its own for the taints that admission would add', core('pods'), {
    ...pod({
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 7 },
      ],
    }),
  }),
  one(
    'a Deployment gets the defaults of its strategy and of its template',
    group('apps/v1', 'deployments'),
    deployment(),
  ),
  one(
    'a Deployment with Recreate has no rolling update',
    group('apps/v1', 'deployments'),
    deployment({ strategy: { type: 'Recreate' } }),
  ),
  one('a ReplicaSet gets its defaults', group('apps/v1', 'replicasets'), replicaSet({ minReadySeconds: 3 })),
  one(
    'a ReplicaSet without a selector is refused',
    group('apps/v1', 'replicasets'),
    replicaSet({ selector: undefined }),
  ),
  one('a Job gets its defaults, its selector and its labels', group('batch/v1', 'jobs'), job()),
  one(
    'a Job with completions and an index gets its defaults',
    group('batch/v1', 'jobs'),
    job({ completions: 3, completionMode: 'Indexed' }),
  ),
];
