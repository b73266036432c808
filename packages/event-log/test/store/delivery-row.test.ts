import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Delivered, Written } from '../../../controller/domain/delivery.ts';
import { toDeliveryRow } from '../../store/delivery-row.ts';
import { delivered } from './delivery-cases.ts';

const long = 'ä'.repeat(256);
const written: Written = { do: 'own', kind: 'Pod', namespace: '', name: 'p', uid: 'u', resourceVersion: '1' };
const plain = delivered({ function: '', outcome: '', parents: [], written: [written], traceId: '', instance: '' });
const sizeOf = (one: Delivered): number => toDeliveryRow(one, 0).row.size;

for (const [name, parts] of Object.entries({
  function: { function: long },
  outcome: { outcome: long },
  trace: { traceId: long },
  instance: { instance: long },
  at: { at: `${plain.at}${long}` },
  parents: { parents: [long] },
  id: { event: { ...plain.event, id: long } },
} satisfies Record<string, Partial<Delivered>>)) {
  test(`the size of a row counts the text of ${name}`, () =>
    assert.ok(sizeOf({ ...plain, ...parts }) > sizeOf(plain) + 500));
}

for (const name of ['do', 'uid', 'resourceVersion'] as const) {
  test(`the size of a row counts ${name} of a write in the row, in its table and in the index`, () => {
    const size = sizeOf({ ...plain, written: [{ ...written, [name]: long }] });
    assert.ok(size > sizeOf(plain) + (name === 'do' ? 1000 : 1500));
  });
}
