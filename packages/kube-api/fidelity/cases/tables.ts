import { type Case, core, get, group, post } from '../case.ts';
import { configMap, crd, deployment, job, pod, replicaSet, service, shop } from './bodies.ts';
import { served, shops } from './served.ts';

const table = { headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } };
const rbac = 'rbac.authorization.k8s.io/v1';
const shown = (name: string, plural: string, { apiVersion, body }: { apiVersion: string; body: unknown }): Case => {
  const path = apiVersion === 'v1' ? core(plural) : group(apiVersion, plural);
  return {
    name,
    given: [post(path, body)],
    steps: [
      get(`${path}?fieldSelector=metadata.name%3Dweb${apiVersion === 'apps/v1' ? '&includeObject=None' : ''}`, table),
    ],
  };
};
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'web' };
const subjects = [
  { kind: 'ServiceAccount', name: 'default', namespace: '{ns}' },
  { kind: 'User', name: 'ann' },
  { kind: 'Group', name: 'all' },
];

/** What `kubectl get` shows, with the columns of `-o wide`. */
export const tableCases: readonly Case[] = [
  shown('a Pod in a table', 'pods', { apiVersion: 'v1', body: pod() }),
  shown('a Deployment without Pods in a table', 'deployments', {
    apiVersion: 'apps/v1',
    body: deployment({ paused: true }),
  }),
  shown('a ReplicaSet in a table', 'replicasets', { apiVersion: 'apps/v1', body: replicaSet() }),
  shown('a Job in a table', 'jobs', { apiVersion: 'batch/v1', body: job() }),
  shown('a Service in a table', 'services', {
    apiVersion: 'v1',
    body: service({
      ports: [
        { port: 80, name: 'a' },
        { port: 53, name: 'b', protocol: 'UDP' },
      ],
    }),
  }),
  shown('a headless Service in a table', 'services', {
    apiVersion: 'v1',
    body: service({ clusterIP: 'None', selector: undefined }),
  }),
  shown('an ExternalName Service in a table', 'services', {
    apiVersion: 'v1',
    body: service({ type: 'ExternalName', externalName: 'web.example.com', ports: undefined }),
  }),
  shown('a ConfigMap in a table', 'configmaps', {
    apiVersion: 'v1',
    body: { ...configMap(), binaryData: { raw: 'AAEC' } },
  }),
  shown('a Secret in a table', 'secrets', {
    apiVersion: 'v1',
    body: { metadata: { name: 'web' }, data: { a: 'YQ==' } },
  }),
  shown('a ServiceAccount in a table', 'serviceaccounts', { apiVersion: 'v1', body: { metadata: { name: 'web' } } }),
  shown('an EndpointSlice in a table', 'endpointslices', {
    apiVersion: 'discovery.k8s.io/v1',
    body: {
      metadata: { name: 'web' },
      addressType: 'IPv4',
      endpoints: ['1', '2', '3', '4'].map((end) => ({ addresses: [`10.1.2.${end}`] })),
      ports: [
        { name: 'a', port: 80 },
        { name: 'b', port: 81 },
      ],
    },
  }),
  shown('a Role in a table', 'roles', { apiVersion: rbac, body: { metadata: { name: 'web' }, rules: [] } }),
  shown('a RoleBinding in a table', 'rolebindings', {
    apiVersion: rbac,
    body: { metadata: { name: 'web' }, subjects, roleRef },
  }),
  shown('a Lease in a table', 'leases', {
    apiVersion: 'coordination.k8s.io/v1',
    body: { metadata: { name: 'web' }, spec: { holderIdentity: 'ann' } },
  }),
  shown('an Event in a table', 'events', {
    apiVersion: 'v1',
    body: {
      metadata: { name: 'web' },
      involvedObject: { kind: 'Pod', name: 'web', namespace: '{ns}', fieldPath: 'spec.containers{web}' },
      reason: 'Seen',
      message: 'It was seen.\nTwice.',
      type: 'Normal',
      count: 3,
      source: { component: 'viewer', host: 'one' },
    },
  }),
  {
    name: 'one object may come as a table, and rows may carry whole objects or nothing',
    given: [post(core('configmaps'), configMap())],
    steps: [
      get(core('configmaps', 'web'), table),
      get(`${core('configmaps', 'web')}?includeObject=Object`, table),
      get(`${core('configmaps', 'web')}?includeObject=None`, table),
      get(`${core('configmaps', 'web')}?includeObject=Some`, table),
      get(core('configmaps', 'none'), table),
    ],
  },
  {
    name: 'what kubectl accepts gives a table, and an empty list gives its columns',
    steps: [
      get(core('secrets'), {
        headers: {
          accept:
            'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
        },
      }),
      get(core('secrets'), { headers: { accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io' } }),
    ],
  },
  {
    name: 'a namespace, a node and a ClusterRole in a table',
    given: [post(`/apis/${rbac}/clusterroles`, { metadata: { name: '{ns}-web' }, rules: [] })],
    steps: [get('/api/v1/namespaces/{ns}', table), get(`/apis/${rbac}/clusterroles/{ns}-web`, table)],
  },
  {
    name: 'a custom resource without printer columns shows name and age',
    given: [...served(crd({ properties: { size: { type: 'integer' } } })), post(shops, shop({ size: 3 }))],
    steps: [get(shops, table)],
  },
  {
    name: 'printer columns show what their JSON paths find, as their types say',
    given: [
      ...served(
        crd(
          { 'x-kubernetes-preserve-unknown-fields': true },
          {
            additionalPrinterColumns: [
              { name: 'Size', type: 'integer', jsonPath: '.spec.size', description: 'How big it is.' },
              { name: 'Open', type: 'boolean', jsonPath: '.spec.open' },
              { name: 'Weight', type: 'number', format: 'double', jsonPath: '.spec.weight' },
              { name: 'Owner', type: 'string', jsonPath: '.spec.owner.name', priority: 1 },
              { name: 'Ready', type: 'string', jsonPath: '.spec.conditions[?(@.type=="Ready")].status' },
              { name: 'Doors', type: 'string', jsonPath: '.spec.doors[*].name' },
              { name: 'First', type: 'string', jsonPath: '.spec.doors[0]' },
              { name: 'Since', type: 'date', jsonPath: '.spec.since' },
              { name: 'Label', type: 'string', jsonPath: '.metadata.labels.example\\.com/tier' },
            ],
          },
        ),
      ),
      post(
        shops,
        shop(
          {
            size: 3,
            open: true,
            weight: 1.5,
            owner: { name: 'ann' },
            conditions: [{ type: 'Ready', status: 'True' }],
            doors: [{ name: 'a' }, { name: 'b' }],
            since: '1999-01-01T00:00:00Z',
          },
          { metadata: { name: 'web', labels: { 'example.com/tier': 'front' } } },
        ),
      ),
      post(shops, shop({}, { metadata: { name: 'empty' } })),
      post(
        shops,
        shop({ size: 'big', open: 'yes', since: 'ever', doors: 'none', weight: {} }, { metadata: { name: 'wrong' } }),
      ),
    ],
    steps: [get(shops, table)],
  },
];
