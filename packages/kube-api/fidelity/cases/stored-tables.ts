import { type Case, core, get, group, kubectl, post } from '../case.ts';
import { image } from './bodies.ts';

const table = { headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } };
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } };
const selector = { matchLabels: { app: 'web' } };
const metadata = { name: 'web' };
const shown = (name: string, path: string, body: object): Case => ({
  name,
  given: [post(path, { metadata, ...body })],
  steps: [get(`${path}?fieldSelector=metadata.name%3Dweb&includeObject=None`, table)],
});
const apps = (plural: string) => group('apps/v1', plural);
const networking = (plural: string) => group('networking.k8s.io/v1', plural);
const never = { ...template, spec: { ...template.spec, nodeSelector: { 'example.com/never': 'true' } } };
const backend = { service: { name: 'web', port: { number: 80 } } };
const rule = (host: string) => ({ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } });
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const claim = {
  metadata,
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'none' },
};

/** What `kubectl get` shows of the kinds that are only stored. */
export const storedTablesCases: readonly Case[] = [
  shown('a StatefulSet in a table', apps('statefulsets'), {
    spec: { selector, template, serviceName: 'web', replicas: 0 },
  }),
  shown('a DaemonSet in a table', apps('daemonsets'), { spec: { selector, template: never } }),
  shown('a CronJob in a table', group('batch/v1', 'cronjobs'), {
    spec: {
      schedule: '5 4 1 1 *',
      timeZone: 'Etc/UTC',
      suspend: true,
      jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
    },
  }),
  shown('a ReplicationController in a table', core('replicationcontrollers'), { spec: { replicas: 0, template } }),
  shown('a PodTemplate in a table', core('podtemplates'), { template }),
  shown('a ControllerRevision in a table', apps('controllerrevisions'), {
    revision: 3,
    data: {},
  }),
  shown('a PersistentVolumeClaim in a table', core('persistentvolumeclaims'), claim),
  shown('a LimitRange in a table', core('limitranges'), { spec: { limits: [{ type: 'Pod', max: { cpu: '4' } }] } }),
  shown('a NetworkPolicy in a table', networking('networkpolicies'), { spec: { podSelector: selector } }),
  shown('an Ingress in a table', networking('ingresses'), {
    spec: {
      ingressClassName: 'web',
      rules: ['a', 'b', 'c', 'd'].map((name) => rule(`${name}.example.com`)),
      tls: [{ hosts: ['a.example.com'] }],
    },
  }),
  shown('an Ingress without hosts in a table', networking('ingresses'), { spec: { defaultBackend: backend } }),
  shown('Endpoints in a table', core('endpoints'), {
    subsets: [
      {
        addresses: ['1', '2', '3', '4'].map((end) => ({ ip: `10.1.2.${end}` })),
        ports: [{ port: 80 }],
      },
    ],
  }),
  shown('a PodDisruptionBudget in a table', group('policy/v1', 'poddisruptionbudgets'), {
    spec: { maxUnavailable: '50%', selector: { matchLabels: { app: 'nothing' } } },
  }),
  shown('a HorizontalPodAutoscaler in a table', group('autoscaling/v2', 'horizontalpodautoscalers'), {
    spec: {
      scaleTargetRef,
      maxReplicas: 3,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
        { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '100Mi' } } },
        { type: 'Pods', pods: { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '1k' } } },
      ],
    },
  }),
  {
    name: 'kubectl get shows stored kinds by their short names',
    given: [
      post(apps('statefulsets'), { metadata, spec: { selector, template, serviceName: 'web', replicas: 0 } }),
      post(core('persistentvolumeclaims'), claim),
      post(networking('networkpolicies'), { metadata, spec: { podSelector: {} } }),
      post(group('policy/v1', 'poddisruptionbudgets'), { metadata, spec: { minAvailable: 1, selector } }),
      post(group('autoscaling/v2', 'horizontalpodautoscalers'), { metadata, spec: { scaleTargetRef, maxReplicas: 3 } }),
    ],
    steps: [
      kubectl('get hpa,sts,pvc,netpol,pdb'),
      kubectl('get ds,cj,quota,limits,ing,ep,rc'),
      kubectl('get sts,pvc -o wide'),
      kubectl('get all'),
    ],
  },
];
