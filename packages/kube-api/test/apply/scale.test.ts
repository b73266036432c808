import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../json.ts';
import { applyBy, body, ownersOf, stored, timesOf, updateBy } from './things.ts';

const live = stored(updateBy(undefined, body({ a: '1', n: 1 }), { manager: 'm1', second: 1 }));
const rest = { '.': {}, 'f:a': {} };
const own = { 'f:spec': { 'f:n': {} } };

function scale(replicas: number | undefined): JsonObject {
  const base = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web' } };
  return replicas === undefined ? base : { ...base, spec: { replicas } };
}

function scaledTo(n: number, manager: string): JsonObject {
  return updateBy(live, { ...live, spec: { a: '1', n } }, { manager, subresource: 'scale', second: 9 });
}

test('a scale is owned by an entry of its own, without a time', () => {
  const next = scaledTo(2, 'm2');
  assert.deepEqual(ownersOf(next), { 'm2 Update scale': own, 'm1 Update': { 'f:spec': rest } });
  assert.deepEqual(timesOf(next), { m2: null, m1: '2026-01-01T00:01:01Z' });
  assert.deepEqual(next['spec'], { a: '1', n: 2 });
});

test('a scale to what it was leaves its owner two entries', () => {
  const { metadata } = scaledTo(1, 'm2') as { metadata: { managedFields: readonly JsonObject[] } };
  assert.deepEqual(
    metadata.managedFields.map(({ manager, apiVersion, fieldsV1 }) => [manager, apiVersion, fieldsV1]),
    [
      ['m1', 'example.com/v1', own],
      ['m1', 'example.com/v1', { 'f:spec': rest }],
    ],
  );
});

test('a scale of an object whose replicas nobody owns is not tracked', () => {
  const untracked = stored(body({ n: 1 }));
  const next = updateBy(untracked, { ...untracked, spec: { n: 3 } }, { manager: 'm1', subresource: 'scale' });
  assert.deepEqual(next, { ...untracked, spec: { n: 3 } });
});

test('an applied scale conflicts with who owns the replicas, takes them by force and gives them up', () => {
  const by = { manager: 'm2', subresource: 'scale' };
  const message = 'Apply failed with 1 conflict: conflict with "m1" using autoscaling/v1: .spec.replicas';
  assert.throws(() => applyBy(live, scale(2), by), { code: 409, message });
  const next = applyBy(live, scale(2), { ...by, force: true });
  assert.deepEqual(ownersOf(next), { 'm2 Apply scale': own, 'm1 Update': { 'f:spec': rest } });
  assert.deepEqual(next['spec'], { a: '1', n: 2 });
  const again = applyBy(next, scale(2), by);
  assert.deepEqual(again, next);
  const without = applyBy(next, scale(undefined), by);
  assert.deepEqual(without['spec'], { a: '1', n: 0 });
  assert.deepEqual(ownersOf(without), { 'm1 Update': { 'f:spec': rest } });
});

test('an applied scale needs a Scale', () => {
  const by = { manager: 'm2', subresource: 'scale' };
  assert.throws(() => applyBy(live, body({ n: 2 }), by), {
    message: 'invalid object type: example.com/v1, Kind=Thing',
  });
  assert.throws(() => applyBy(live, { ...scale(1), more: 1 }, by), {
    message: /\.more: field not declared in schema$/,
  });
});

test('a conflict with a scale names the subresource', () => {
  const next = scaledTo(2, 'm2');
  const message =
    'Apply failed with 1 conflict: conflict with "m2" with subresource "scale" using example.com/v1: .spec.n';
  assert.throws(() => applyBy(next, body({ n: 3 }), { manager: 'm3' }), { message });
});
