import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonical } from '../../decide/canonical.ts';
import { differs, isOtherwiseFixed } from '../../decide/differs.ts';
import { itemIn, shapeIn, shapeOf } from '../../decide/shapes.ts';
import type { Shape } from '../../domain/shape.ts';

const rows: readonly [sentence: string, desired: unknown, live: unknown, differs: boolean][] = [
  ['an equal object is no difference', { a: 1 }, { a: 1 }, false],
  ['a field that others added is no difference', { a: 1 }, { a: 1, b: 2 }, false],
  ['another value is one', { a: 1 }, { a: 2 }, true],
  ['a missing field is one', { a: { b: 1 } }, { a: {} }, true],
  ['a field of another type is one', { a: { b: 1 } }, { a: 'b' }, true],
  ['an undefined field asks for nothing', { a: undefined, b: 1 }, { b: 1 }, false],
  ['an empty object asks for nothing', { emptyDir: {} }, {}, false],
  ['half of a surrogate pair, stored as U+FFFD', { a: 'b\ud83d' }, { a: 'b\ufffd' }, false],
  ['half of a surrogate pair is one where something else is', { a: 'b\ud83d' }, { a: 'b' }, true],
  ['a shorter atomic list is a difference', { args: ['a'] }, { args: ['a', 'b'] }, true],
  ['an atomic list in another order is one', { args: ['a', 'b'] }, { args: ['b', 'a'] }, true],
  [
    'a sidecar that others injected is none',
    { containers: [{ name: 'a', image: 'x' }] },
    { containers: [{ name: 's' }, { name: 'a', image: 'x' }] },
    false,
  ],
  [
    'a container that is gone is one',
    { containers: [{ name: 'a' }, { name: 'b' }] },
    { containers: [{ name: 'a' }] },
    true,
  ],
  [
    'a container with another image is one',
    { containers: [{ name: 'a', image: 'x' }] },
    { containers: [{ name: 'a', image: 'y' }] },
    true,
  ],
  [
    'ports are told apart by number and protocol',
    { ports: [{ port: 53, protocol: 'UDP' }] },
    { ports: [{ port: 53, protocol: 'TCP' }] },
    true,
  ],
  [
    'an environment variable of others is none',
    { env: [{ name: 'A', value: '1' }] },
    { env: [{ name: 'B' }, { name: 'A', value: '1' }] },
    false,
  ],
  [
    'an address that others gave the hosts of a Pod is none',
    { hostAliases: [{ ip: '10.0.0.1', hostnames: ['a'] }] },
    {
      hostAliases: [
        { ip: '10.0.0.2', hostnames: ['b'] },
        { ip: '10.0.0.1', hostnames: ['a'] },
      ],
    },
    false,
  ],
  [
    'a key more in a selector is one: it selects something else',
    { selector: { a: '1' } },
    { selector: { a: '1', b: '2' } },
    true,
  ],
  ['the same selector is none', { selector: { a: '1', b: '2' } }, { selector: { b: '2', a: '1' } }, false],
  ['null in the live object is a missing field', { a: { b: 1 } }, { a: null }, true],
];
/** A part of an object of some kind, at a path such as `spec.containers[]`. */
function partOf(apiVersion: string, kind: string, path: string): Shape {
  const steps = path === '' ? [] : path.split('.');
  return steps.reduce<Shape>((shape, step) => {
    const field = shapeIn(shape, step.replace('[]', ''));
    return step.endsWith('[]') ? itemIn(field) : field;
  }, shapeOf({ apiVersion, kind }));
}

const podSpec = partOf('v1', 'Pod', 'spec');
const container = partOf('v1', 'Pod', 'spec.containers[]');
const serviceSpec = partOf('v1', 'Service', 'spec');

/** What has the lists of the rows. */
const shapes: Readonly<Record<string, Shape>> = {
  args: container,
  env: container,
  containers: podSpec,
  hostAliases: podSpec,
  ports: serviceSpec,
  selector: serviceSpec,
};

for (const [sentence, desired, live, expected] of rows) {
  const [field = ''] = Object.keys(desired as object);
  test(sentence, () => assert.equal(differs(desired, live, shapes[field] ?? {}), expected));
}

const select = (matchLabels: object) => ({ matchLabels });
const fixed: readonly [sentence: string, desired: unknown, live: unknown, fixed: boolean][] = [
  ['an address where there should be none is fixed', { clusterIP: 'None' }, { clusterIP: '10.1.0.1' }, true],
  ['no address where there should be none is as it should be', { clusterIP: 'None' }, { clusterIP: 'None' }, false],
  ['an address that is not there yet is not', { clusterIP: 'None' }, {}, false],
  [
    'another selector of a Deployment is fixed',
    { selector: select({ a: 'b' }) },
    { selector: select({ c: 'd' }) },
    true,
  ],
  ['so is one with more labels', { selector: select({ a: 'b' }) }, { selector: select({ a: 'b', c: 'd' }) }, true],
  ['its own selector is not', { selector: select({ a: 'b' }) }, { selector: select({ a: 'b' }) }, false],
  ['another selector of a Service can be taken back', { selector: { a: 'b' } }, { selector: { c: 'd' } }, false],
  [
    'data that lack what an immutable Secret should hold are fixed',
    { immutable: true, data: { token: 'b' } },
    { immutable: true, data: { token: '' } },
    true,
  ],
  [
    'its labels are not',
    { immutable: true, data: { a: '1' }, labels: { b: 'c' } },
    { immutable: true, data: { a: '1' } },
    false,
  ],
  ['nor are data that may still be changed', { immutable: true, data: { a: '1' } }, { data: { a: '2' } }, false],
  ['another port can be taken back', { ports: [{ name: 'a', port: 1 }] }, { ports: [{ name: 'a', port: 2 }] }, false],
];
for (const [sentence, desired, live, expected] of fixed) {
  test(sentence, () => assert.equal(isOtherwiseFixed(desired, live), expected));
}

const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };
const service = { apiVersion: 'v1', kind: 'Service' };
const unstored: readonly (readonly [kind: object, field: string, zero: unknown, other: unknown])[] = [
  [deployment, 'paused', false, true],
  [deployment, 'minReadySeconds', 0, 600],
  [service, 'publishNotReadyAddresses', false, true],
  [{ apiVersion: 'v1', kind: 'Pod' }, 'hostNetwork', false, true],
];
for (const [kind, field, zero, other] of unstored) {
  test(`${field}: the API server does not store ${String(zero)}, and takes ${String(other)} back`, () => {
    assert.equal(differs({ ...kind, spec: { [field]: zero } }, { ...kind, spec: {} }), false);
    assert.equal(differs({ ...kind, spec: { [field]: zero } }, { ...kind, spec: { [field]: other } }), true);
  });
}

test('a switch that the API server stores is missed', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod' };
  assert.ok(differs({ ...pod, spec: { automountServiceAccountToken: false } }, { ...pod, spec: {} }));
});

test('no value of JSON differs from itself, nor from itself with more fields', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (value, extra) => {
      assert.equal(differs(value, value), false);
      if (!Object.hasOwn(value, extra)) assert.equal(differs(value, { ...value, [extra]: 1 }), false);
    }),
  );
});

test('canonical text is the same for every order of keys, and another for another value', () => {
  assert.equal(canonical({ b: [1, { d: 1, c: null }], a: 'x' }), '{"a":"x","b":[1,{"d":1}]}');
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse());
      assert.equal(canonical(reversed), canonical(value));
    }),
  );
  assert.notEqual(canonical({ a: 1 }), canonical({ a: '1' }));
});
