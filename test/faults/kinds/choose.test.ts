import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOf } from '../../../packages/controller/testing/kinds/boundaries.ts';
import type { CallSite } from '../../../packages/controller/testing/kinds/kind.ts';
import { kinds } from '../../../packages/controller/testing/kinds/kinds.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import { choosePlans, mainRows, type Row } from './choose.ts';
import { boundariesOf, singleFaults } from './enumerate.ts';
import { distinctBoundaries } from './prune.ts';
import { sites } from './sites.ts';

const at = (site: CallSite, resourceVersion: string): CallSite => ({
  ...site,
  done: { status: 200, body: { metadata: { resourceVersion, labels: { 'app.kubernetes.io/managed-by': 'knudge' } } } },
});

/** A trace of these runs, one after the other; the last run comes after the faults are lifted. */
function traceOf(...runs: readonly (readonly CallSite[])[]): Row['clean'] {
  const calls = runs
    .flatMap((own, run) => own.map((call) => ({ ...call, run, query: {}, body: undefined, seen: call.done })))
    .map((call, index) => ({ ...call, at: index }));
  const last = runs.at(-1)?.length ?? 0;
  return { calls, marks: { lifted: calls.length - last, rest: 1000, end: 2000 } };
}

const look = [at(sites.getChild, '1'), at(sites.getParent, '2')];
const write = [...look, sites.applyChild];
const names = (clean: Row['clean']): readonly string[] => distinctBoundaries(clean).map(nameOf);

test('a run that wrote nothing and saw what an earlier one saw is left out, and its calls are counted', () => {
  assert.deepEqual(names(traceOf(look, look, [at(sites.getChild, '3'), at(sites.getParent, '2')], [sites.list])), [
    'get configmaps frp-web-config (1)',
    'get distributedservices web (1)',
    'get configmaps frp-web-config (3)',
    'get distributedservices web (3)',
  ]);
});

test('a run that wrote is never left out, nor is one that saw other things, less, or more', () => {
  assert.equal(names(traceOf(write, write, [])).length, 6);
  assert.equal(names(traceOf(look, [look[0] ?? sites.list], [])).length, 3);
  assert.equal(names(traceOf(look, [...look, sites.list], [])).length, 5);
  const list = (resourceVersion: string): CallSite => ({
    ...sites.list,
    done: { status: 200, body: { metadata: { resourceVersion: '9' }, items: [{ metadata: { resourceVersion } }] } },
  });
  assert.equal(names(traceOf([list('1')], [list('2')], [])).length, 2);
  assert.equal(names(traceOf([list('1')], [list('1')], [])).length, 1);
});

const row = (name: string, clean = traceOf(write, look, [])): Row => ({ scenario: { name }, clean });

test('a main row has every kind at every boundary, and every main row is a scenario', () => {
  const { plans, counts } = choosePlans([row('create-manual')]);
  const boundaries = distinctBoundaries(row('create-manual').clean);
  assert.deepEqual(plans, singleFaults('create-manual', boundaries, kinds));
  assert.deepEqual(counts, { calls: 5, boundaries: 5, main: plans.length, ways: 0, others: 0, chosen: 0 });
  const known = new Set(scenarios.map(({ name }) => name));
  for (const name of mainRows) assert.ok(known.has(name), name);
});

test('rows that go the same way share its plans, none twice and none left out', () => {
  const one = choosePlans([row('touch-tunnel')]);
  const three = choosePlans(['touch-tunnel', 'touch-config', 'touch-profile'].map((name) => row(name)));
  const without = ({ plans }: typeof one) => plans.map(({ faults }) => JSON.stringify(faults)).sort();
  assert.ok(one.plans.length > 12);
  assert.deepEqual(without(three), without(one));
  assert.equal(three.counts.ways, 1);
  const turns = ['touch-tunnel', 'touch-config', 'touch-profile'].map(
    (name) => three.plans.filter(({ scenario }) => scenario === name).length,
  );
  assert.ok(Math.max(...turns) - Math.min(...turns) <= 1, String(turns));
  const other = choosePlans([row('touch-tunnel'), row('touch-config', traceOf(write, []))]);
  assert.equal(other.counts.ways, 2);
});

test('a read that says the same again is not tried stale again in the other rows', () => {
  const again = [at(sites.getParent, '2'), at(sites.getChild, '4'), sites.applyChild];
  const { plans } = choosePlans([row('touch-tunnel', traceOf(write, again, []))]);
  const stale = plans.filter(({ about = '' }) => about.startsWith('R1-stale')).map(({ about }) => about?.split(':')[0]);
  assert.deepEqual(stale.sort(), [
    'R1-stale at get configmaps frp-web-config (1)',
    'R1-stale at get configmaps frp-web-config (2)',
    'R1-stale at get distributedservices web (1)',
  ]);
});

test('so many of the other rows are drawn as are asked for, and all of the main ones', () => {
  const { counts, plans } = choosePlans([row('create-manual'), row('touch-tunnel')], { most: 5, salt: 'today' });
  assert.equal(counts.chosen, 5);
  assert.equal(plans.length, counts.main + 5);
  assert.ok(counts.others > 5);
});

test('the whole has each call of a trace before the lifting', () => {
  assert.equal(boundariesOf(traceOf(look, look, look)).length, 4);
});
