import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json, JsonObject } from '../json.ts';
import { createKinds } from '../schema/kinds.ts';
import { cellOf } from '../tables/cells.ts';

const now = Date.parse('2026-11-21T08:00:00Z');
const kinds = createKinds();

/** The cells of an object by the names of their columns. */
function row(apiVersion: string, name: string, object: JsonObject): Readonly<Record<string, Json>> {
  const kind = kinds.ofKind(apiVersion, name);
  assert.ok(kind !== undefined, `${name} is served`);
  return Object.fromEntries(kind.columns.map((column) => [column.name, cellOf(kind, column, { object, now })]));
}

describe('the row of', () => {
  const rows: readonly (readonly [string, string, JsonObject, Readonly<Record<string, Json>>])[] = [
    [
      'v1',
      'Service',
      { spec: { type: 'ExternalName', externalName: 'a.b' } },
      { 'External-IP': 'a.b', 'Cluster-IP': '<none>' },
    ],
    ['v1', 'Service', { spec: { type: 'LoadBalancer' } }, { 'External-IP': '<pending>', 'Port(s)': '<none>' }],
    [
      'v1',
      'Service',
      {
        spec: { type: 'LoadBalancer', externalIPs: ['2'] },
        status: { loadBalancer: { ingress: [{ ip: '1' }, { hostname: 'h' }] } },
      },
      { 'External-IP': '1,h,2' },
    ],
    [
      'v1',
      'Service',
      {
        spec: {
          ports: [
            { port: 1, protocol: 'TCP', nodePort: 3 },
            { port: 2, protocol: 'UDP' },
          ],
          selector: { b: 'c', a: 'b' },
        },
      },
      { 'Port(s)': '1:3/TCP,2/UDP', Selector: 'a=b,b=c' },
    ],
    [
      'v1',
      'Node',
      {
        status: { conditions: [{ type: 'Ready', status: 'True' }], addresses: [{ type: 'InternalIP', address: '1' }] },
      },
      { Status: 'Ready', Roles: '<none>', 'Internal-IP': '1', 'External-IP': '<none>' },
    ],
    [
      'v1',
      'Node',
      {
        spec: { unschedulable: true },
        metadata: { labels: { 'node-role.kubernetes.io/b': '', 'node-role.kubernetes.io/a': '' } },
      },
      { Status: 'Unknown,SchedulingDisabled', Roles: 'a,b' },
    ],
    [
      'v1',
      'Node',
      { status: { conditions: [{ type: 'Ready', status: 'False' }], nodeInfo: { osImage: 'x' } } },
      { Status: 'NotReady', 'OS-Image': 'x', 'Kernel-Version': '<unknown>' },
    ],
    ['v1', 'Secret', { type: 'Opaque', data: { a: 'b' } }, { Type: 'Opaque', Data: 1 }],
    [
      'v1',
      'Event',
      {
        involvedObject: { kind: 'Pod', name: 'p' },
        message: ' m\n',
        reportingComponent: 'c',
        reportingInstance: 'i',
        eventTime: '2026-11-21T07:59:50Z',
      },
      { Object: 'pod/p', Message: 'm', Source: 'c, i', 'Last Seen': '10s', Count: 1 },
    ],
    [
      'events.k8s.io/v1',
      'Event',
      { regarding: { kind: 'Pod', name: 'p' }, note: 'm', deprecatedSource: { component: 'c' }, deprecatedCount: 3 },
      { Object: 'pod/p', Message: 'm', Source: 'c', 'First Seen': '<unknown>', Count: 3 },
    ],
    [
      'apps/v1',
      'Deployment',
      { spec: { replicas: 3, selector: { matchLabels: { a: 'b' } } }, status: { readyReplicas: 2 } },
      { Ready: '2/3', Available: 0, Selector: 'a=b' },
    ],
    [
      'apps/v1',
      'ReplicaSet',
      {
        spec: {
          replicas: 3,
          template: {
            spec: {
              containers: [
                { name: 'a', image: 'x' },
                { name: 'b', image: 'y' },
              ],
            },
          },
        },
      },
      { Desired: 3, Containers: 'a,b', Images: 'x,y', Selector: '<none>' },
    ],
    [
      'batch/v1',
      'Job',
      { spec: { completions: 2 }, status: { succeeded: 1, startTime: '2026-11-21T07:59:00Z' } },
      { Status: 'Running', Completions: '1/2', Duration: '60s' },
    ],
    [
      'batch/v1',
      'Job',
      {
        status: {
          startTime: '2026-11-21T07:00:00Z',
          completionTime: '2026-11-21T07:00:05Z',
          conditions: [{ type: 'Complete', status: 'True' }],
        },
      },
      { Status: 'Complete', Duration: '5s' },
    ],
    [
      'batch/v1',
      'Job',
      { status: { conditions: [{ type: 'Failed', status: 'True' }] } },
      { Status: 'Failed', Duration: '' },
    ],
    ['batch/v1', 'Job', { status: { conditions: [{ type: 'Suspended', status: 'True' }] } }, { Status: 'Suspended' }],
    ['batch/v1', 'Job', { metadata: { deletionTimestamp: 'x' } }, { Status: 'Terminating' }],
    [
      'discovery.k8s.io/v1',
      'EndpointSlice',
      { ports: [], endpoints: [{ addresses: ['1', '2'] }, { addresses: ['3', '4'] }] },
      { Ports: '<unset>', Endpoints: '1,2,3 + 1 more...' },
    ],
    ['coordination.k8s.io/v1', 'Lease', { spec: { holderIdentity: 'me' } }, { Holder: 'me' }],
    [
      'rbac.authorization.k8s.io/v1',
      'RoleBinding',
      {
        roleRef: { kind: 'Role', name: 'r' },
        subjects: [
          { kind: 'User', name: 'a' },
          { kind: 'Group', name: 'g' },
          { kind: 'ServiceAccount', namespace: 'n', name: 's' },
        ],
      },
      { Role: 'Role/r', Users: 'a', Groups: 'g', ServiceAccounts: 'n/s' },
    ],
    ['rbac.authorization.k8s.io/v1', 'Role', { metadata: { creationTimestamp: 'x' } }, { 'Created At': 'x' }],
  ];
  for (const [apiVersion, name, object, expected] of rows) {
    it(`${name} shows ${Object.values(expected).join(' ')}`, () => {
      const found = row(apiVersion, name, object);
      const shown = Object.fromEntries(Object.keys(expected).map((column) => [column, found[column] ?? null]));
      assert.deepEqual(shown, expected);
    });
  }
});
