import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greeting } from '../../../../test/build/greeting.ts';
import { greetingCrd } from '../../../../test/build/greeting-crd.ts';
import { everySingleFault } from '../../testing/index.ts';
import { scenarios } from './scenarios.ts';

test('a Greeting comes to the same whatever goes wrong once, in four scenarios', async () => {
  const progress = new Map<string, number>();
  const onProgress = (scenario: string, done: number): void => void progress.set(scenario, done);
  const { plans, calls, failures } = await everySingleFault({
    resources: [greeting],
    crds: [greetingCrd],
    scenarios,
    onProgress,
  });
  assert.deepEqual(failures, []);
  assert.ok(calls >= 40, String(calls));
  assert.ok(plans >= 400, String(plans));
  assert.deepEqual([...progress.keys()], ['create', 'change', 'drift', 'delete']);
  assert.equal(
    [...progress.values()].reduce((sum, done) => sum + done, 0),
    plans,
  );
});
