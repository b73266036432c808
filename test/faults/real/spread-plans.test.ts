import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FaultKind } from '../../../packages/controller/testing/kinds/kind.ts';
import type { TracedCall } from '../../../packages/controller/testing/trace.ts';
import { spreadPlans } from './spread-plans.ts';

const marks = { lifted: 100, rest: 101, end: 102 };

function call(at: number, verb: TracedCall['verb'], name: string): TracedCall {
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name };
  const answer = { status: 200, body: {} };
  return { at, run: at, verb, resource: 'configmaps', ref, query: {}, body: undefined, done: answer, seen: answer };
}

function kind(id: string, verb?: TracedCall['verb']): FaultKind {
  return {
    id,
    says: id,
    when: 'before',
    appliesTo: (one) => verb === undefined || one.verb === verb,
    action: () => ({ do: 'reset' }),
    sees: () => 'nothing',
  };
}

const cleans = new Map([
  ['one', { calls: [call(1, 'create', 'a'), call(2, 'create', 'b')], marks }],
  ['two', { calls: [call(1, 'create', 'a'), call(2, 'delete', 'b'), call(200, 'create', 'late')], marks }],
]);
const kinds = [kind('any'), kind('of deletions', 'delete')];

test('scenarios take turns, and the kinds and calls that had the fewest turns come first', () => {
  const chosen = spreadPlans(cleans, kinds, 3).map(
    ({ plan, kind: id, boundary }) => `${plan.scenario}: ${id}, ${boundary}`,
  );
  assert.deepEqual(chosen, [
    'one: any, create configmaps a',
    'two: of deletions, delete configmaps b',
    'one: any, create configmaps b',
  ]);
});

test('no plan comes twice, and there are no more than there are', () => {
  const plans = spreadPlans(cleans, kinds, 100).map(({ plan }) => JSON.stringify(plan));
  assert.equal(plans.length, 5);
  assert.equal(new Set(plans).size, 5);
});
