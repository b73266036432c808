import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { object } from '../../build/objects.ts';
import { workOfControllers } from './at-rest.ts';

const going = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const held = { finalizers: ['example.com/held'] };
const ownerReferences = [{ apiVersion: 'v1', kind: 'Message', name: 'hello', uid: 'gone', controller: true }];

function child(metadata: Partial<KubeObject['metadata']>): KubeObject {
  return object('ConfigMap', 'child', { metadata: { uid: 'child', ownerReferences, ...metadata } });
}

const town = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', uid: 'town', ...going } };
const house = object('ConfigMap', 'house', { metadata: { uid: 'house', namespace: 'shop', ...going, ...held } });

const rows: readonly (readonly [what: string, objects: readonly KubeObject[], busy: boolean])[] = [
  ['an orphan that nobody has deleted yet is', [child({})], true],
  ['an orphan that a person holds is until it is deleted', [child(held)], true],
  ['an orphan that a person holds is not when it is deleted', [child({ ...going, ...held })], false],
  ['what has its owner is not', [child({}), object('ConfigMap', 'owner', { metadata: { uid: 'gone' } })], false],
  ['a namespace that goes and is empty is', [town], true],
  ['a namespace that goes and in which a person holds something is not', [town, house], false],
];

for (const [what, objects, busy] of rows) {
  test(`${what} work of the controllers of Kubernetes`, () => assert.equal(workOfControllers(objects) !== '', busy));
}
