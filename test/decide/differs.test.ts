import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonical } from '../../src/decide/canonical.ts';
import { differs, hasLeftover, isBlocked } from '../../src/decide/differs.ts';

const rows: readonly [sentence: string, desired: unknown, live: unknown, differs: boolean][] = [
  ['an equal object is no difference', { a: 1 }, { a: 1 }, false],
  ['a field that others added is no difference', { a: 1 }, { a: 1, b: 2 }, false],
  ['another value is one', { a: 1 }, { a: 2 }, true],
  ['a missing field is one', { a: { b: 1 } }, { a: {} }, true],
  ['a field of another type is one', { a: { b: 1 } }, { a: 'b' }, true],
  ['an undefined field asks for nothing', { a: undefined, b: 1 }, { b: 1 }, false],
  ['an empty object asks for nothing', { emptyDir: {} }, {}, false],
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
    'a key more in a selector is one: it selects something else',
    { selector: { a: '1' } },
    { selector: { a: '1', b: '2' } },
    true,
  ],
  ['the same selector is none', { selector: { a: '1', b: '2' } }, { selector: { b: '2', a: '1' } }, false],
  ['null in the live object is a missing field', { a: { b: 1 } }, { a: null }, true],
];
for (const [sentence, desired, live, expected] of rows) {
  test(sentence, () => assert.equal(differs(desired, live), expected));
}

const web = { name: 'web', port: 80, protocol: 'TCP' };
const select = (matchLabels: object) => ({ matchLabels });
const blocked: readonly [sentence: string, desired: unknown, live: unknown, blocked: boolean][] = [
  ['the same port blocks nothing', { spec: { ports: [web] } }, { spec: { ports: [{ ...web, nodePort: 1 }] } }, false],
  ['a port beside ours blocks nothing', { ports: [web] }, { ports: [web, { ...web, name: 'other', port: 81 }] }, false],
  ['a port of our name with another number does', { ports: [web] }, { ports: [{ ...web, port: 81 }] }, true],
  ['a port of our name with another protocol does', { ports: [web] }, { ports: [{ ...web, protocol: 'UDP' }] }, true],
  ['a port without a name does, since one alone may go without', { ports: [web] }, { ports: [{ port: 81 }] }, true],
  [
    'the parameters of another strategy do',
    { spec: { strategy: { type: 'Recreate' } } },
    { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } } } },
    true,
  ],
  ['the same strategy blocks nothing', { strategy: { type: 'Recreate' } }, { strategy: { type: 'Recreate' } }, false],
  ['no ports at all block nothing', { ports: [web] }, {}, false],
  ['an address where there should be none blocks', { clusterIP: 'None' }, { clusterIP: '10.1.0.1' }, true],
  ['no address where there should be none does not', { clusterIP: 'None' }, { clusterIP: 'None' }, false],
  ['nor does one that is not there yet', { clusterIP: 'None' }, {}, false],
  ['another selector of a Deployment blocks', { selector: select({ a: 'b' }) }, { selector: select({ c: 'd' }) }, true],
  ['one with more labels, too', { selector: select({ a: 'b' }) }, { selector: select({ a: 'b', c: 'd' }) }, true],
  ['its own does not', { selector: select({ a: 'b' }) }, { selector: select({ a: 'b' }) }, false],
  ['another selector of a Service can be taken back', { selector: { a: 'b' } }, { selector: { c: 'd' } }, false],
  [
    'a port of another container blocks nothing',
    { containers: [{ name: 'a', ports: [{ name: 'web', containerPort: 80 }] }] },
    { containers: [{ name: 's', ports: [{ name: 'web', containerPort: 90 }] }, { name: 'a' }] },
    false,
  ],
  [
    'one of the same container does',
    { containers: [{ name: 'a', ports: [{ name: 'web', containerPort: 80 }] }] },
    { containers: [{ name: 's' }, { name: 'a', ports: [{ name: 'web', containerPort: 90 }] }] },
    true,
  ],
];
for (const [sentence, desired, live, expected] of blocked) {
  test(sentence, () => assert.equal(isBlocked(desired, live), expected));
}

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

const mounted = (...paths: string[]) => ({
  spec: { containers: [{ name: 'a', volumeMounts: paths.map((mountPath) => ({ mountPath })) }] },
});

const mounts: readonly [sentence: string, live: unknown, left: boolean][] = [
  ['what is wanted is no leftover', mounted('/own/a'), false],
  ['nor is a mount of somebody else', mounted('/own/a', '/cache'), false],
  [
    'nor one in the container of somebody else',
    { spec: { containers: [{ name: 'a' }, { name: 'b', volumeMounts: [{ mountPath: '/own/b' }] }] } },
    false,
  ],
  ['a mount of ours that is wanted no more is one', mounted('/own/b', '/own/a'), true],
];

for (const [sentence, live, left] of mounts) {
  test(sentence, () => assert.equal(hasLeftover(mounted('/own/a'), live, ['/own/a', '/own/b']), left));
}
