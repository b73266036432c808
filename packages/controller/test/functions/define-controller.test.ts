import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineResource } from '../../decide/define.ts';
import { yes } from '../../decide/defined/ready.ts';
import { withNet } from '../../decide/net.ts';
import { addKinds } from '../../domain/known-kinds.ts';
import type { Equipping } from '../../functions/define-controller.ts';
import { defineController } from '../../functions/define-controller.ts';
import { defineFunction } from '../../functions/define-function.ts';

const watching = (kind: string) =>
  defineController({
    resources: [],
    functions: { watching: defineFunction({ handle: async () => [], kind, labels: [''], looksAt: [] }) },
  });

test('a kind that is not known is refused with the call that adds it, and known after this call', () => {
  const controller = watching('networking.k8s.io/IngressClass');
  assert.throws(() => controller.watches, {
    message:
      /^networking\.k8s\.io\/IngressClass in functions\/table\.ts is not known: call addKinds\(\{ 'networking\.k8s\.io\/<version>\/IngressClass': \{ plural: '<plural>', .* in functions\/table\.ts or .*crds\//,
  });
  addKinds({ 'networking.k8s.io/v1/IngressClass': { plural: 'ingressclasses', namespaced: false } });
  assert.deepEqual(controller.watches[0]?.resources, [
    { apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', selector: '' },
  ]);
});

test('the call for a kind of the core group names its version', () => {
  assert.throws(() => watching('/ResourceQuota').watches, { message: /addKinds\(\{ 'v1\/ResourceQuota': / });
});

addKinds({ 'example.org/v1/Greeting': { plural: 'greetings', namespaced: true } });
const child = { apiVersion: 'v1', kind: 'ConfigMap', name: 'hello' } as const;
const greeting = defineResource()({
  apiVersion: 'example.org/v1',
  kind: 'Greeting',
  children: () => ({ text: child }),
  desired: () => ({ text: {} }),
  ready: () => yes('Greeted', 'There it is'),
});
const observed = {
  owner: {
    apiVersion: 'example.org/v1',
    kind: 'Greeting',
    metadata: { name: 'ada', namespace: 'shop', uid: 'u-ada', resourceVersion: '7', generation: 1 },
  },
  children: new Map([['text', undefined]]),
  inputs: new Map(),
};
const given = {
  now: '2026-01-02T03:04:05Z',
  hash: (text: string) => String(text.length),
  controllerNamespace: 'other',
};
const equip = () => ({ resources: [withNet(greeting, [greeting])] });

for (const [name, definition, carried] of [
  ['nothing', {}, 'knudge'],
  ['a name', { name: 'demo' }, 'demo'],
  ['a name and equipment of its own', { name: 'demo', equip }, 'demo'],
] as const) {
  test(`what a controller with ${name} makes carries its name`, () => {
    const controller = defineController({ ...definition, resources: [greeting] });
    const [resource] = controller.equip({} as Equipping).resources;
    const made = resource?.decide(observed, given).writes.find((write) => write.do === 'create');
    assert.deepEqual(made?.object.metadata.labels, {
      'app.kubernetes.io/managed-by': carried,
      'knudge.dev/owner-uid': 'u-ada',
    });
    // A child on which somebody has changed that name is seen all the same.
    const children = controller.watches[0]?.resources.filter(({ kind }) => kind === 'ConfigMap');
    assert.deepEqual(children, [{ apiVersion: 'v1', kind: 'ConfigMap', selector: 'knudge.dev/owner-uid' }]);
  });
}
