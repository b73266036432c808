import assert from 'node:assert/strict';
import { test } from 'node:test';
import { straysOf } from '../../decide/strays.ts';

const port = { name: 'web', port: 80, protocol: 'TCP' };
const pod = { apiVersion: 'v1', kind: 'Pod' };
const inPorts = (...ports: readonly object[]): object => ({ apiVersion: 'v1', kind: 'Service', spec: { ports } });
const inPod = (...containers: readonly object[]): object => ({ ...pod, spec: { containers } });
const mounts = (...paths: readonly string[]): object => inPod(mounting(...paths));
const mounting = (...paths: readonly string[]): object => ({
  name: 'a',
  volumeMounts: paths.map((mountPath) => ({ name: `of ${mountPath}`, mountPath })),
});
const withVolume = (...containers: readonly object[]): object => ({
  ...pod,
  spec: { containers, volumes: [{ name: 'of /own/b' }] },
});
const ingress = (containerPort: number): object => ({ name: 'web', containerPort, protocol: 'TCP' });
const service = ['f:spec', 'f:ports'];
const container = ['f:spec', 'f:containers', 'k:{"name":"a"}'];

type Row = readonly [sentence: string, desired: object, live: object, strays: readonly (readonly string[])[]];

const rows: readonly Row[] = [
  ['the same port is none', inPorts(port), inPorts({ ...port, nodePort: 1 }), []],
  ['nor is a port beside ours', inPorts(port), inPorts(port, { ...port, name: 'other', port: 81 }), []],
  ['no ports at all are none', inPorts(port), {}, []],
  [
    'a port of our name with another number is one',
    inPorts(port),
    inPorts({ ...port, port: 81 }),
    [[...service, 'k:{"port":81,"protocol":"TCP"}']],
  ],
  [
    'a port of our name with another protocol is one',
    inPorts(port),
    inPorts(port, { ...port, protocol: 'UDP' }),
    [[...service, 'k:{"port":80,"protocol":"UDP"}']],
  ],
  [
    'a port without a name is one, since one alone may go without',
    inPorts(port),
    inPorts({ port: 81, protocol: 'TCP' }),
    [[...service, 'k:{"port":81,"protocol":"TCP"}']],
  ],
  [
    'a port of our name in our container is one',
    inPod({ name: 'a', ports: [ingress(80)] }),
    inPod({ name: 's' }, { name: 'a', ports: [ingress(90)] }),
    [[...container, 'f:ports', 'k:{"containerPort":90,"protocol":"TCP"}']],
  ],
  [
    'one in the container of somebody else is none',
    inPod({ name: 'a', ports: [ingress(80)] }),
    inPod({ name: 's', ports: [ingress(90)] }, { name: 'a' }),
    [],
  ],
  [
    'the parameters of another strategy are one',
    { spec: { strategy: { type: 'Recreate' } } },
    { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } } } },
    [['f:spec', 'f:strategy', 'f:rollingUpdate']],
  ],
  ['a mount of somebody else is none', mounts('/own/a'), mounts('/own/a', '/cache'), []],
  [
    'a mount of ours that is wanted no more is one',
    mounts('/own/a'),
    mounts('/own/b', '/own/a'),
    [[...container, 'f:volumeMounts', 'k:{"mountPath":"/own/b"}']],
  ],
  [
    'with it goes the volume that nothing else mounts',
    mounts('/own/a'),
    withVolume(mounting('/own/b', '/own/a')),
    [
      ['f:spec', 'f:volumes', 'k:{"name":"of /own/b"}'],
      [...container, 'f:volumeMounts', 'k:{"mountPath":"/own/b"}'],
    ],
  ],
  [
    'and not one that somebody else mounts too',
    mounts('/own/a'),
    withVolume(mounting('/own/b', '/own/a'), { ...mounting('/own/b'), name: 's' }),
    [[...container, 'f:volumeMounts', 'k:{"mountPath":"/own/b"}']],
  ],
  [
    'nor one that is wanted',
    withVolume(mounting('/own/a')),
    withVolume(mounting('/own/b', '/own/a')),
    [[...container, 'f:volumeMounts', 'k:{"mountPath":"/own/b"}']],
  ],
  ['nor one that nothing mounts', mounts('/own/a'), withVolume(mounting('/own/a')), []],
  ['nor is one in the container of somebody else', mounts('/own/a'), inPod({ ...mounting('/own/b'), name: 'b' }), []],
  [
    'a probe that we want is none',
    inPod({ name: 'a', readinessProbe: {} }),
    inPod({ name: 'a', readinessProbe: { x: 1 } }),
    [],
  ],
  ...['readinessProbe', 'livenessProbe', 'startupProbe'].map(
    (probe): Row => [
      `a ${probe} that we do not want is one`,
      inPod({ name: 'a' }),
      inPod({ name: 'a', [probe]: { httpGet: { port: 1 } } }, { name: 's', [probe]: {} }),
      [[...container, `f:${probe}`]],
    ],
  ),
  ...['externalIPs', 'sessionAffinityConfig'].map(
    (field): Row => [
      `${field} is one, and empty it is none`,
      { spec: {}, empty: { spec: {} } },
      { spec: { [field]: { a: '1' } }, empty: { spec: { [field]: {} } } },
      [['f:spec', `f:${field}`]],
    ],
  ),
  [
    'where a Pod may run is none',
    { spec: {} },
    { spec: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'a' }] } },
    [],
  ],
];

for (const [sentence, desired, live, strays] of rows) {
  test(sentence, () => assert.deepEqual(straysOf(desired, live, ['/own/a', '/own/b']), strays));
}
