import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bases } from './bases.ts';
import { type MalformedResource, pathText, valueAt, withValue } from './malformed-resource.ts';
import { masked } from './masked.ts';
import { misuses } from './misuses.ts';
import { malformedResources, ruleMessages } from './resources.ts';

const { objects, statuses } = malformedResources();
const all = [...objects, ...statuses];

test('there are at least 2,000 malformed objects, each one once, with a name of its own', () => {
  assert.ok(objects.length >= 2000, String(objects.length));
  assert.equal(new Set(objects.map(({ object }) => JSON.stringify(object))).size, objects.length);
  assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
});

test('they are the same ones every time', () => {
  assert.equal(JSON.stringify(malformedResources()), JSON.stringify({ objects, statuses }));
});

test('none of them is one of the good objects', () => {
  const good = new Set(bases.map(({ object }) => JSON.stringify(object)));
  const same = (row: MalformedResource): boolean => good.has(JSON.stringify(row.object));
  assert.deepEqual(
    objects.filter(same).map(({ name }) => name),
    [],
  );
});

test('every field of every served version is among them', () => {
  const fields = new Set(all.map(({ base, field }) => `${base.split(' ').slice(0, 2).join(' ')} ${field}`));
  for (const version of ['v1', 'v1beta1']) {
    const own = `DistributedService ${version}`;
    for (const field of [
      'spec.serviceType',
      'spec.backends.endpoints[0].weight',
      'spec.expose.domains[0]',
      'status.conditions[0].reason',
    ]) {
      assert.ok(fields.has(`${own} ${field}`), `${own} ${field}`);
    }
  }
  assert.ok(fields.has('Message v1 spec.text'));
  assert.ok(fields.size > 250, String(fields.size));
});

test('the rules of the CRDs are found, with their messages', () => {
  assert.ok(ruleMessages().length >= 20);
  assert.ok(ruleMessages().includes('timeout must be shorter than interval, or probes would overlap'));
});

test('every misuse has a name of its own', () => {
  const names = misuses().map(({ name }) => name);
  assert.ok(names.length >= 100, String(names.length));
  assert.equal(new Set(names).size, names.length);
});

test('a place in an object is read, written, taken away and told', () => {
  const object = { spec: { list: [{ a: 1 }] } };
  const path = ['spec', 'list', 0, 'a'];
  assert.equal(pathText(path), 'spec.list[0].a');
  assert.equal(valueAt(object, path), 1);
  assert.deepEqual(withValue(object, path, null), { spec: { list: [{ a: null }] } });
  assert.deepEqual(withValue(object, path, undefined), { spec: { list: [{}] } });
  assert.deepEqual(object, { spec: { list: [{ a: 1 }] } });
});

test('a mask hides which object it is, and nothing else', () => {
  const owner = (name: string, uid: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name, uid } });
  const child = (name: string, uid: string, text: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `frp-${name}`, uid: `${uid}c`, labels: { owner: uid } },
    data: { text, at: '2026-01-01T00:00:00Z' },
  });
  const one = masked(child('a', 'u1', 'x'), owner('a', 'u1'));
  assert.equal(masked(child('b', 'u2', 'x'), owner('b', 'u2')), one);
  assert.notEqual(masked(child('b', 'u2', 'y'), owner('b', 'u2')), one);
  assert.equal(masked(undefined, owner('a', 'u1')), 'none');
});
