import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenarios } from '../scenarios/scenarios.ts';
import { someScenarios } from './some-scenarios.ts';

const rows: readonly { readonly most: number; readonly wanted: readonly number[] }[] = [
  { most: 4, wanted: [0, 2, 5, 7] },
  { most: 1, wanted: [0] },
  { most: 10, wanted: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] },
  { most: 11, wanted: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] },
];

for (const { most, wanted } of rows) {
  test(`${String(most)} of ten scenarios are spread over the table`, () => {
    const ten = scenarios.slice(0, 10);
    assert.deepEqual(
      someScenarios(ten, most),
      wanted.map((index) => ten[index]),
    );
  });
}
