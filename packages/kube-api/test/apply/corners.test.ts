import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../json.ts';
import { applyBy, body, configMap, mapOf, ownersOf, stored, timesOf, updateBy } from './things.ts';

// Each of these was seen on kube-apiserver 1.35.

test('a field of an item that two applied stays when nobody owns it', () => {
  const spec = { keyed: [{ name: 'a' }] };
  const first = stored(applyBy(undefined, body(spec), { manager: 'm1' }));
  const both = stored(applyBy(first, body(spec), { manager: 'm2' }));
  const live = { ...both, spec: { keyed: [{ name: 'a', v: '9' }] } };
  assert.deepEqual(applyBy(live, body({}), { manager: 'm1' })['spec'], { keyed: [{ name: 'a', v: '9' }] });
});

test('an item that only one applied goes with all that is in it', () => {
  const both = { keyed: [{ name: 'a' }, { name: 'b' }] };
  const first = stored(applyBy(undefined, body(both), { manager: 'm1' }));
  const live = { ...first, spec: { keyed: [{ name: 'a', v: '9' }, { name: 'b' }] } };
  assert.deepEqual(applyBy(live, body({ keyed: [{ name: 'b' }] }), { manager: 'm1' })['spec'], {
    keyed: [{ name: 'b' }],
  });
});

test('an applied item takes the place of two that are the same', () => {
  const keyed = [{ name: 'A', v: '1' }, { name: 'A', v: '2' }, { name: 'B' }];
  const live = stored(updateBy(undefined, body({ keyed }), { manager: 'm1' }));
  const applied = body({ keyed: [{ name: 'A', v: '3' }, { name: 'C' }] });
  const next = applyBy(live, applied, { manager: 'm2', force: true });
  assert.deepEqual(next['spec'], { keyed: [{ name: 'A', v: '3' }, { name: 'C' }, { name: 'B' }] });
});

test('an empty map that was dropped is a conflict for the next who applies it', () => {
  const owner = stored(applyBy(undefined, mapOf({}), { kind: configMap, manager: 'm1' }));
  const { data: _, ...live } = owner;
  const message = 'Apply failed with 1 conflict: conflict with "m1": .data';
  assert.throws(() => applyBy(live, mapOf({}), { kind: configMap, manager: 'm2' }), { message });
});

test('no replicas are no field of a Scale, so who applies them conflicts', () => {
  const live = stored(updateBy(undefined, body({ n: 0 }), { manager: 'm1' }));
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web' }, spec: { replicas: 0 } };
  const message = 'Apply failed with 1 conflict: conflict with "m1" using autoscaling/v1: .spec.replicas';
  assert.throws(() => applyBy(live, scale, { manager: 'm2', subresource: 'scale' }), { message });
});

test('of twelve updates the three oldest are joined, those of another version apart', () => {
  const entries = Array.from({ length: 12 }, (_, index): JsonObject => {
    const [manager, apiVersion] = [`m${String(index).padStart(2, '0')}`, index === 1 ? 'v9' : 'v1'];
    const fieldsV1 = { 'f:data': { [`f:k${index}`]: {} } };
    const time = index === 5 ? undefined : `2026-01-01T00:00:${10 + index}Z`;
    return {
      manager,
      operation: 'Update',
      apiVersion,
      fieldsType: 'FieldsV1',
      fieldsV1,
      ...(time !== undefined && { time }),
    };
  });
  const data = Object.fromEntries(entries.map((_, index) => [`k${index}`, '1']));
  const live = stored(mapOf(data, { managedFields: entries }));
  const next = updateBy(live, stored(mapOf({ ...data, more: '1' })), { kind: configMap, manager: 'm99' });
  const owners = ownersOf(next);
  assert.equal(Object.keys(owners).length, 10);
  assert.deepEqual(owners['ancient-changes Update'], { 'f:data': { 'f:k0': {}, 'f:k2': {}, 'f:k3': {}, 'f:k5': {} } });
  assert.equal(timesOf(next)['ancient-changes'], '2026-01-01T00:00:13Z');
  assert.deepEqual(owners['m01 Update'], { 'f:data': { 'f:k1': {} } });
});
