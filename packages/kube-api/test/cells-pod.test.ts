import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json, JsonObject } from '../json.ts';
import { createKinds } from '../schema/kinds.ts';
import { cellOf } from '../tables/cells.ts';

const now = Date.parse('2026-11-21T08:00:00Z');
const kinds = createKinds();

/** The cells of an object by the names of their columns. */
function row(apiVersion: string, name: string, object: JsonObject): Readonly<Record<string, Json>> {
  const kind = kinds.ofKind(apiVersion, name);
  assert.ok(kind !== undefined, `${name} is served`);
  return Object.fromEntries(kind.columns.map((column) => [column.name, cellOf(kind, column, { object, now })]));
}

const two = { containers: [{ name: 'a' }, { name: 'b' }] };

describe('the row of a Pod', () => {
  const state = (value: JsonObject) => ({ phase: 'Running', containerStatuses: [{ state: value }] });
  const rows: readonly (readonly [string, JsonObject, JsonObject])[] = [
    ['Pending', { phase: 'Pending' }, {}],
    ['Evicted', { phase: 'Failed', reason: 'Evicted' }, {}],
    ['Terminating', { phase: 'Running' }, { deletionTimestamp: 'x' }],
    ['Succeeded', { phase: 'Succeeded' }, { deletionTimestamp: 'x' }],
    ['ImagePullBackOff', state({ waiting: { reason: 'ImagePullBackOff' } }), {}],
    ['Error', state({ terminated: { reason: 'Error' } }), {}],
    ['Running', state({ running: {} }), {}],
  ];
  for (const [said, status, metadata] of rows) {
    it(`says ${said} of ${JSON.stringify(status)}`, () =>
      assert.equal(row('v1', 'Pod', { metadata, status })['Status'], said));
  }

  it('counts containers and restarts, and names places', () => {
    const containerStatuses = [
      { ready: true, restartCount: 2, lastState: { terminated: { finishedAt: '2026-11-21T07:59:00Z' } } },
      { ready: false, restartCount: 1 },
    ];
    const pod = {
      metadata: { creationTimestamp: '2026-11-21T07:00:00Z' },
      spec: { ...two, nodeName: 'n', readinessGates: [{ conditionType: 'a' }, { conditionType: 'b' }] },
      status: { podIP: '10.0.0.1', containerStatuses, conditions: [{ type: 'a', status: 'True' }] },
    };
    const { Ready, Restarts, Age, IP, Node, ...rest } = row('v1', 'Pod', pod);
    assert.deepEqual([Ready, Restarts, Age, IP, Node], ['1/2', '3', '60m', '10.0.0.1', 'n']);
    assert.deepEqual([rest['Nominated Node'], rest['Readiness Gates']], ['<none>', 'a,b']);
    assert.equal(row('v1', 'Pod', { spec: two })['Restarts'], '0');
  });
});
