import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryCluster } from '../build/memory-cluster.ts';
import type { Arena } from './arena.ts';
import { cases } from './cases.ts';

for (const [index, { name, run, want }] of cases.entries()) {
  test(name, async () => assert.deepEqual(await run(arena(index)), want));
}

test('the table is not getting smaller by accident', () => {
  assert.ok(cases.length >= 90, `${cases.length} cases`);
  assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length);
});

function arena(index: number): Arena {
  const namespaces = ['same', 'same-empty', 'same-terminating', 'default'];
  const cluster = memoryCluster({ namespaces });
  const leaving = { name: 'same-terminating', finalizers: ['example.com/keep'] };
  cluster.put({ apiVersion: 'v1', kind: 'Namespace', metadata: leaving });
  cluster.remove({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name: 'same-terminating' });
  return {
    cluster,
    user: {
      put: async (object) => cluster.put(object),
      remove: async (ref) => cluster.remove(ref),
    },
    collector: { see: async () => cluster.collectGarbage(), collect: async () => cluster.collectGarbage() },
    namespace: 'same',
    emptyNamespace: 'same-empty',
    absentNamespace: 'same-absent',
    terminatingNamespace: 'same-terminating',
    name: `case-${index}`,
  };
}
