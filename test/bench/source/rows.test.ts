import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Measured } from '../../../bench/source/measure.ts';
import { collectionsOf } from '../../../bench/source/objects.ts';
import { insistOnOnce, rowsOf } from '../../../bench/source/rows.ts';

const measured = (objects: number, resident: number, more: Partial<Measured> = {}): Measured => ({
  objects,
  resident,
  beginning: 'new',
  most: resident,
  bare: 50_000_000,
  file: 500 * objects,
  seconds: 1,
  told: objects,
  ...more,
});

test('the smallest is held against a bare server, the largest by what each object adds', () => {
  const [none, some, many] = rowsOf([
    [measured(0, 60_000_000), measured(100, 70_000_000), measured(100_000, 110_000_000)],
  ]);
  assert.deepEqual(none?.goal, { value: 1.2, most: 1.5, tolerance: 0.1 });
  assert.equal(some?.goal, undefined);
  assert.equal(some?.figures['bytes an object'], 100_000);
  assert.deepEqual(many?.goal, { value: 500, most: 1024, tolerance: 0 });
  assert.equal(many?.figures['file, bytes an object'], 500);
});

test('of several rounds the medians count, and a ratio is within its round', () => {
  const round = (bare: number, resident: number) => [
    measured(0, resident, { bare }),
    measured(1000, resident + 2_000_000),
  ];
  const [none, many] = rowsOf([round(40, 60), round(50, 100), round(100, 110)]);
  assert.equal(none?.figures['× bare'], 1.5);
  assert.equal(many?.figures['bytes an object'], 2000);
});

test('each beginning has rows of its own', () => {
  const rows = rowsOf([
    [
      measured(0, 1),
      measured(10, 21),
      measured(0, 5, { beginning: 'compares' }),
      measured(10, 15, { beginning: 'compares', told: 0 }),
    ],
  ]);
  assert.deepEqual(
    rows.map(({ name, figures }) => [name, figures['bytes an object']]),
    [
      ['0 objects, new', undefined],
      ['10 objects, new', 2],
      ['0 objects, compares', undefined],
      ['10 objects, compares', 1],
    ],
  );
});

test('who tells too much, or again, has no figures', () => {
  insistOnOnce([measured(10, 1), measured(10, 1, { beginning: 'goes on', told: 0 })]);
  assert.throws(() => insistOnOnce([measured(10, 1, { told: 11 })]), /10 objects, new: it sent 11 events/);
  assert.throws(
    () => insistOnOnce([measured(10, 1, { beginning: 'compares', told: 1 })]),
    /compares: it sent 1 events/,
  );
});

test('the Pods of the bench are as large as real ones', () => {
  const [pods, messages] = collectionsOf(1000);
  assert.deepEqual([pods?.count, messages?.count], [900, 100]);
  const { length } = JSON.stringify(pods?.make(77));
  assert.ok(length > 2000 && length < 4096, String(length));
});
