import { type Case, core, get, group, mergePatch, post } from '../case.ts';

const policies = group('networking.k8s.io/v1', 'networkpolicies');
const ingresses = group('networking.k8s.io/v1', 'ingresses');
const budgets = group('policy/v1', 'poddisruptionbudgets');
const scalers = group('autoscaling/v2', 'horizontalpodautoscalers');
const selector = { matchLabels: { app: 'web' } };
const scaled = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const one = (name: string, path: string, body: unknown): Case => ({ name, steps: [post(path, body)] });
const backend = { service: { name: 'web', port: { number: 80 } } };

/** Policies, Ingresses, budgets, autoscalers and Endpoints: what the API server makes of them. */
export const storedNetworkCases: readonly Case[] = [
  one('a NetworkPolicy without rules is one for what comes in', policies, {
    metadata: { name: 'web' },
    spec: { podSelector: {} },
  }),
  one('a NetworkPolicy with rules for what goes out is one for that too', policies, {
    metadata: { name: 'web' },
    spec: {
      podSelector: selector,
      ingress: [
        {
          from: [{ podSelector: {} }, { namespaceSelector: {} }],
          ports: [{ port: 80 }, { port: 'dns', protocol: 'UDP' }],
        },
      ],
      egress: [
        { to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }], ports: [{ port: 1, endPort: 9 }] },
        {},
      ],
    },
  }),
  one('a NetworkPolicy keeps empty rules and given types', policies, {
    metadata: { name: 'web' },
    spec: { podSelector: {}, ingress: [], egress: [], policyTypes: ['Egress'] },
  }),
  {
    name: 'a NetworkPolicy counts its generations',
    given: [post(policies, { metadata: { name: 'web' }, spec: { podSelector: {} } })],
    steps: [mergePatch(`${policies}/web`, { spec: { podSelector: selector } })],
  },
  one('an Ingress keeps its rules', ingresses, {
    metadata: { name: 'web' },
    spec: {
      rules: [{ host: 'web.example.com', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
      tls: [{ hosts: ['web.example.com'], secretName: 'web' }],
    },
  }),
  one('an Ingress needs a rule or a backend', ingresses, { metadata: { name: 'web' }, spec: {} }),
  one('an IngressClass names its controller', '/apis/networking.k8s.io/v1/ingressclasses?dryRun=All', {
    metadata: { name: '{ns}-class' },
    spec: { controller: 'example.com/ingress' },
  }),
  one('a PodDisruptionBudget has a status of zeros', `${budgets}?dryRun=All`, {
    metadata: { name: 'web' },
    spec: { minAvailable: 1, selector },
  }),
  one('a PodDisruptionBudget takes a share', `${budgets}?dryRun=All`, {
    metadata: { name: 'web' },
    spec: { maxUnavailable: '50%', selector },
  }),
  one('a PodDisruptionBudget says one number only', `${budgets}?dryRun=All`, {
    metadata: { name: 'web' },
    spec: { minAvailable: 1, maxUnavailable: 1, selector },
  }),
  one('a HorizontalPodAutoscaler aims at 80 % of the CPU', `${scalers}?dryRun=All`, {
    metadata: { name: 'web' },
    spec: { scaleTargetRef: scaled, maxReplicas: 3 },
  }),
  one('the behaviour of a HorizontalPodAutoscaler is filled up', `${scalers}?dryRun=All`, {
    metadata: { name: 'web' },
    spec: {
      scaleTargetRef: scaled,
      minReplicas: 2,
      maxReplicas: 3,
      metrics: [
        { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '100Mi' } } },
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
    },
  }),
  one('a HorizontalPodAutoscaler needs a maximum', `${scalers}?dryRun=All`, {
    metadata: { name: 'web' },
    spec: { scaleTargetRef: scaled },
  }),
  one('a HorizontalPodAutoscaler has at most as few as its maximum', `${scalers}?dryRun=All`, {
    metadata: { name: 'web' },
    spec: { scaleTargetRef: scaled, minReplicas: 4, maxReplicas: 3 },
  }),
  {
    name: 'Endpoints are kept, with a warning',
    steps: [
      post(core('endpoints'), {
        metadata: { name: 'web' },
        subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 80 }] }],
      }),
      get(core('endpoints', 'web')),
    ],
  },
];
