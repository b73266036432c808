import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testKubeconfig } from '../../kube/api.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import { faultShare } from '../share.ts';
import { openReal } from './open-real.ts';
import { createProcesses } from './processes.ts';
import { lineOf, runSpread } from './run-spread.ts';

/** Creation, change, drift and deletion of both resources. */
const names: ReadonlySet<string> = new Set([
  'create-tcp',
  'create-every-child',
  'change-expose-remote-port',
  'drift-tls-deleted',
  'delete-running',
  'message-create',
  'change-text',
  'message-delete',
]);

const all = scenarios.filter(({ name }) => names.has(name));
const chosen = faultShare.of(all);
const plans = 4 * chosen.length;

test(`${String(plans)} times a function's process is killed at an API call, and another one finishes its work`, async (t) => {
  assert.equal(all.length, names.size);
  const cluster = await openReal(testKubeconfig());
  try {
    const result = await runSpread({
      cluster,
      scenarios: chosen,
      isWanted: (kind) => /^W[12]-crash-(before|after)$/.test(kind),
      plans,
      mostAtOnce: 4,
      troupe: createProcesses,
      signal: t.signal,
    });
    t.diagnostic(lineOf(result).replace('plans on', 'SIGKILLs of function processes on'));
    assert.deepEqual(result.wrong, []);
    assert.equal(result.reached, plans);
    assert.equal(result.scenarios, chosen.length);
  } finally {
    await cluster.close();
  }
});
