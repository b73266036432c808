import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addKinds } from '../../domain/known-kinds.ts';
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
