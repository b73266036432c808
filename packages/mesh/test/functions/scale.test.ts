import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restartDelay, wantedInstances } from '../../functions/scale.ts';
import { functionSpec } from './build.ts';

const instances = [
  { name: 'nobody asks: none', requests: 0, spec: {}, wants: 0 },
  { name: 'one request: one', requests: 1, spec: {}, wants: 1 },
  { name: 'seven of ten are still one', requests: 7, spec: {}, wants: 1 },
  { name: 'eight of ten are more than 70 %', requests: 8, spec: {}, wants: 2 },
  {
    name: '20 at one each are 29, as measured',
    requests: 20,
    spec: { containerConcurrency: 1, maxScale: 0 },
    wants: 29,
  },
  { name: 'never more than the bound', requests: 1000, spec: { maxScale: 3 }, wants: 3 },
  { name: 'never fewer than the other bound', requests: 0, spec: { minScale: 2 }, wants: 2 },
  { name: 'without a hard bound the target counts', requests: 71, spec: { containerConcurrency: 0 }, wants: 2 },
  {
    name: 'a target of nothing is no division by zero',
    requests: 2,
    spec: { containerConcurrency: 0, target: 0 },
    wants: 3,
  },
];

for (const { name, requests, spec, wants } of instances) {
  test(`instances: ${name}`, () => {
    assert.equal(wantedInstances(functionSpec(spec), requests), wants);
  });
}

const delays = [
  { name: 'the first crash of one that had listened costs nothing', crashes: 1, listened: true, wants: 0 },
  { name: 'its second a second', crashes: 2, listened: true, wants: 1000 },
  { name: 'the first start that fails a second', crashes: 1, listened: false, wants: 1000 },
  { name: 'the second two', crashes: 2, listened: false, wants: 2000 },
  { name: 'the third four', crashes: 3, listened: false, wants: 4000 },
  { name: 'never more than 32', crashes: 1000, listened: false, wants: 32_000 },
];

for (const { name, crashes, listened, wants } of delays) {
  test(`restart: ${name}`, () => {
    assert.equal(restartDelay(crashes, listened), wants);
  });
}
