import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functions } from '../../functions/table.ts';
import { defineController } from '../../packages/controller/functions/define-controller.ts';
import { declared } from '../../resources/managed/declared.ts';
import { childKinds, parentKinds } from '../../resources/managed/kinds.ts';

const standard = defineController({ resources: declared });

test('a controller that defines no functions has one for each resource, one for each kind of children, and those of every controller', () => {
  const kinds = [...parentKinds, ...childKinds].length;
  assert.equal(Object.keys(standard.functions).length, kinds + 3);
  for (const stem of Object.keys(standard.functions)) assert.ok(Object.hasOwn(functions, stem), stem);
});

test('the functions of one resource share a Service, and so do those of the event log', () => {
  assert.deepEqual(standard.services, {
    'distributed-service': [
      'distributed-service-changed',
      'deployment-changed',
      'service-changed',
      'config-map-changed',
      'secret-changed',
    ],
    message: ['message-changed', 'pod-changed'],
    'event-log': ['event-recorded', 'dead-lettered'],
  });
  assert.deepEqual(standard.serviceNames, ['distributed-service', 'message', 'resync-due', 'event-log']);
});

test('sources watch resources whole, children by their label, and of Secrets only metadata', () => {
  const [whole, names] = standard.watches;
  const owned = 'knudge.dev/owner-uid';
  const selectorOf = new Map(whole?.resources.map(({ kind, selector }) => [kind, selector]));
  assert.deepEqual(
    ['DistributedService', 'Message', 'Pod', 'Deployment'].map((kind) => selectorOf.get(kind)),
    ['', '', owned, owned],
  );
  assert.deepEqual(names?.resources, [{ apiVersion: 'v1', kind: 'Secret', selector: owned }]);
});

test('a function of a child reconciles the parent that owns it, of whichever kind', async () => {
  const row = standard.functions['pod-changed'];
  assert.ok(row?.wakes === 'change');
  const owner = { apiVersion: 'myorg.dev/v1', kind: 'Message', name: 'hello', uid: '1', controller: true };
  const metadata = { name: 'msg-hello', namespace: 'shop', uid: '2', resourceVersion: '1', ownerReferences: [owner] };
  const asked: unknown[] = [];
  const context = {
    reader: { getMetadata: async () => ({ apiVersion: 'v1', kind: 'Pod', metadata }) },
    reconcile: async (ref: unknown) => {
      asked.push(ref);
      return { result: 'done', reads: 0, writes: 0 };
    },
  };
  const change = { ref: { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'msg-hello' } };
  await row.handle(change as never, context as never);
  assert.deepEqual(asked, [{ apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: 'hello' }]);
});
