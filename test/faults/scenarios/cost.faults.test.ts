import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { prepare } from '../sim/prepare.ts';
import { type Cost, costOf } from './cost-of.ts';
import { scenarios } from './scenarios.ts';

/** The rows of the table in bench/README.md. */
const rows = {
  'a Message, from apply to Processed': 'message-create',
  'a Message is deleted': 'message-delete',
  'a service is created (tcp, its Pods by the label)': 'create-tcp',
  'a service is created (by a selector)': 'create-selector',
  'a service is created (with every child)': 'create-every-child',
  'its port at the backends changes': 'change-backends-port',
  'its algorithm changes': 'change-load-balancing-algorithm',
  'its port at the server changes': 'change-expose-remote-port',
  'mutual TLS is switched on': 'change-security-mtls-enabled',
  'one backend more': 'backend-added',
  'one backend less': 'backend-one-of-two-deleted',
  'a backend is touched, and nothing changes': 'touch-backend',
  'a ConfigMap of it is deleted': 'drift-config-deleted',
  'its tunnel is deleted': 'drift-tunnel-deleted',
  'its profile changes': 'profile-address',
  'a profile changes that three services share': 'several-share-a-profile',
  'a service is deleted': 'delete-running',
} as const;

const measured = new Map<string, Cost>();

for (const [row, name] of Object.entries(rows)) {
  test(`what it costs: ${row}`, async (t) => {
    const scenario = scenarios.find((one) => one.name === name);
    assert.ok(scenario);
    const cost = costOf((await prepare(scenario)).clean);
    measured.set(row, cost);
    t.diagnostic(JSON.stringify(cost));
    assert.ok(cost.conflicts <= 2, 'nobody fights with himself');
  });
}

test('the table in bench/README.md says what was measured', () => {
  const table = readFileSync('bench/README.md', 'utf8');
  const wrong = [...measured].flatMap(([row, { reads, writes, events }]) => {
    const line = table.split('\n').find((one) => one.startsWith(`| ${row} |`)) ?? 'none';
    const told = line
      .split('|')
      .slice(-4, -1)
      .map((cell) => Number(cell.trim()));
    return JSON.stringify(told) === JSON.stringify([reads, writes, events])
      ? []
      : [
          `${row}: ${String(reads)} reads, ${String(writes)} writes, ${String(events)} Events, and there stands ${line}`,
        ];
  });
  assert.deepEqual(wrong, []);
  assert.equal(measured.size, Object.keys(rows).length);
});
