import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greetingCrd } from '../../../../test/build/greeting-crd.ts';
import { everySingleFault } from '../../testing/index.ts';
import { broken } from './broken.ts';
import { scenarios } from './scenarios.ts';

for (const [what, { resource, oracle, during = 'create' }] of Object.entries(broken)) {
  test(`${what}: ${oracle} finds it`, async () => {
    const { failures } = await everySingleFault({
      resources: [resource],
      crds: [greetingCrd],
      scenarios: scenarios.filter(({ name }) => name === during),
    });
    const by = [...new Set(failures.map((failure) => failure.oracle))];
    assert.ok(by.includes(oracle), `found by ${by.join(', ') || 'nobody'}`);
  });
}
