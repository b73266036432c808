import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { programOf } from '../../../kube-api/controllers/fake-node.ts';
import type { EnvVar, Pod } from '../../pods/pod-spec.ts';
import { commandOf, environmentOf } from '../../pods/program.ts';

const images = {
  node: 'node',
  'node:24-alpine': 'node',
  'team/server:v1': 'server',
  'registry:5000/team/server': 'server',
  'registry:5000/team/server:v1@sha256:00': 'server',
  '': '',
};
for (const [image, wanted] of Object.entries(images)) {
  it(`the program of the image ${image} is ${wanted}`, () => assert.equal(programOf(image), wanted));
}

describe('the command of a container', () => {
  const machine = { programs: { server: '/bin/server' }, path: '' };
  const of = (more: object) => commandOf({ name: 'c', image: 'team/server:v1', ...more }, machine);
  it('is the program of its image', () => assert.deepEqual(of({ args: ['-x'] }), ['/bin/server', '-x']));
  it('has the program in the place of its name', () =>
    assert.deepEqual(of({ command: ['server', '-c', 'f'], args: ['-x'] }), ['/bin/server', '-c', 'f', '-x']));
  it('may be another one', () =>
    assert.deepEqual(of({ command: ['/bin/sh', '-c', 'server'] }), ['/bin/sh', '-c', 'server']));
});

describe('a variable of a container', () => {
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', uid: 'u', labels: { 'a/b': 'x' }, annotations: { c: 'y' } },
    spec: { nodeName: 'n', containers: [] },
  };
  const env = (...list: readonly EnvVar[]) => environmentOf({ name: 'c', image: 'i', env: list }, pod, '198.18.0.1');
  const field = (fieldPath: string): EnvVar => ({ name: 'V', valueFrom: { fieldRef: { fieldPath } } });
  const fields = {
    'metadata.name': 'web',
    'metadata.namespace': 'shop',
    'metadata.uid': 'u',
    "metadata.labels['a/b']": 'x',
    "metadata.annotations['c']": 'y',
    "metadata.labels['none']": '',
    'spec.nodeName': 'n',
    'status.podIP': '198.18.0.1',
  };
  for (const [path, wanted] of Object.entries(fields)) {
    it(`may be ${path}`, () => assert.deepEqual(env(field(path)), { V: wanted }));
  }
  it('may be a value, or none', () =>
    assert.deepEqual(env({ name: 'A', value: '1' }, { name: 'B' }), { A: '1', B: '' }));
  it('cannot come from elsewhere', () => {
    assert.throws(() => env(field('status.hostIP')), /^Error: variable V of container c does not come from a field /);
    assert.throws(() => env({ name: 'V', valueFrom: {} }), /^Error: variable V /);
    const from = { name: 'c', image: 'i', envFrom: [{}] };
    assert.throws(() => environmentOf(from, pod, ''), /^Error: container c has envFrom, which does not work/);
  });
});
