import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindsIn, turnsAfter } from '../../resync/order.ts';
import { range } from './arrange.ts';

const objectsOf = (names: readonly string[]) =>
  names.map((name) => ({ apiVersion: 'v1', kind: 'Message', metadata: { name, namespace: 'shop' } }));
const rounds = Array.from({ length: 64 }, (_, index) => `round-${index}`);
const orderIn = (round: string, names: readonly string[]): string[] =>
  turnsAfter({ round, through: 'shop/z', after: '' }, objectsOf(names)).map(({ metadata }) => metadata.name);

test('each kind is the first of some rounds, and every round has all', () => {
  const orders = rounds.map((round) => kindsIn(round, ['a', 'b', 'c']).join(''));
  assert.deepEqual([...new Set(orders)].sort(), ['abc', 'bca', 'cab']);
  assert.deepEqual(kindsIn('r', []), []);
});

test('whatever object a round always dies at, each other comes before it in some round', () => {
  const names = range(20);
  for (const deadly of names) {
    const reached = new Set(
      rounds.flatMap((round) => {
        const order = orderIn(round, names);
        return order.slice(0, order.indexOf(deadly));
      }),
    );
    assert.equal(reached.size, names.length - 1, `${deadly} starves others`);
  }
});

test('a round has one order, whatever the page is read in', () => {
  assert.deepEqual(orderIn('r', range(50).reverse()), orderIn('r', range(50)));
  assert.notDeepEqual(orderIn('r', range(50)), range(50));
});

test('after an object come exactly those behind it, also when it has gone', () => {
  const order = orderIn('r', range(50));
  for (const [index, name] of order.entries()) {
    const place = { round: 'r', through: 'shop/z', after: `shop/${name}` };
    const behind = (names: readonly string[]) =>
      turnsAfter(place, objectsOf(names)).map(({ metadata }) => metadata.name);
    assert.deepEqual(behind(range(50)), order.slice(index + 1));
    assert.deepEqual(behind(range(50).filter((one) => one !== name)), order.slice(index + 1));
  }
});

test('what lies past the end that the page had comes last, in the order of the list', () => {
  const place = { round: 'r', through: 'shop/m0009', after: '' };
  const order = turnsAfter(place, objectsOf(range(14))).map(({ metadata }) => metadata.name);
  assert.deepEqual(order.slice(10), range(14).slice(10));
});
