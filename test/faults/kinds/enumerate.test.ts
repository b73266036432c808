import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMatcher } from '../../../packages/controller/testing/calls/match-faults.ts';
import { nameOf } from '../../../packages/controller/testing/kinds/boundaries.ts';
import type { CallSite } from '../../../packages/controller/testing/kinds/kind.ts';
import { kinds } from '../../../packages/controller/testing/kinds/kinds.ts';
import { sights } from '../../../packages/controller/testing/kinds/sights.ts';
import type { FaultPlan } from '../plan.ts';
import { altersEnd, boundariesOf, singleFaults } from './enumerate.ts';
import { countDoubleFaults, doubleFaults, kindsInPairs, pairKinds } from './pairs.ts';
import { sampleOf } from './sample.ts';
import { sites } from './sites.ts';

const pod = (name: string): CallSite => ({
  ...sites.getChild,
  resource: 'pods',
  ref: { ...sites.getChild.ref, kind: 'Pod', name },
});
const calls: readonly CallSite[] = [
  sites.getAbsentChild,
  sites.getParent,
  sites.list,
  sites.createChild,
  sites.applyStatus,
  sites.createEvent,
  sites.getChild,
  sites.list,
  pod('web-1'),
  pod('web-2'),
  pod('frp-web-6d5f8b9c7d-x2x4z'),
  sites.createEvent,
];
const trace = {
  calls: calls.map((call, at) => ({ ...call, at, run: 1, query: {}, body: undefined, seen: call.done })),
  marks: { lifted: calls.length - 1, rest: 100, end: 200 },
};
const boundaries = boundariesOf(trace);

test('each call up to the lifting is one boundary, numbered as a matcher counts', () => {
  assert.deepEqual(boundaries.map(nameOf), [
    'get configmaps frp-web-config (1)',
    'get distributedservices web (1)',
    'list pods (1)',
    'create configmaps frp-web-config (1)',
    'apply distributedservices/status web (1)',
    'create events (1)',
    'get configmaps frp-web-config (2)',
    'list pods (2)',
    'get pods web-1 (1)',
    'get pods web-2 (1)',
    'get pods (3)',
  ]);
  for (const [index, { match }] of boundaries.entries()) {
    const matcher = createMatcher([{ match, when: 'before', action: { do: 'crash' } }]);
    matcher.arm();
    const hits = calls.map((call) => matcher.next(call).length);
    assert.equal(hits.indexOf(1), index, nameOf({ match, call: calls[index] ?? sites.list }));
    assert.equal(hits.filter((count) => count === 1).length, 1);
  }
});

test('single faults are every boundary with every kind that can hit it', () => {
  const plans = singleFaults('create-tcp', boundaries, kinds);
  const want = boundaries.flatMap(({ call }) => kinds.filter(({ appliesTo }) => appliesTo(call))).length;
  assert.equal(plans.length, want);
  assert.equal(new Set(plans.map(({ about }) => about)).size, want);
  assert.equal(new Set(plans.map(({ faults }) => JSON.stringify(faults))).size, want, 'no two plans are the same');
  assert.ok(plans.every(({ scenario, faults }) => scenario === 'create-tcp' && faults.length === 1));
  const staying = plans.find(({ about }) => about?.startsWith('W4-unreachable at list pods (2)'));
  assert.deepEqual(staying?.faults, [
    { match: { verb: 'list', resource: 'pods', nth: 2 }, when: 'before', action: { do: 'reset' }, times: 'on' },
  ]);
});

test('in pairs there is one kind of each sight that counts, and none that stays', () => {
  assert.equal(
    pairKinds.length,
    new Set(Object.values(sights).flatMap(({ by, inPairs }) => (inPairs ? [by] : []))).size,
  );
  assert.ok(pairKinds.every(({ times }) => times === undefined));
});

test('two kinds that are tried at one call in pairs are not seen as the same', () => {
  for (const boundary of boundaries) {
    const seen = kindsInPairs(boundary).map(({ sees }) => sees(boundary.call));
    assert.deepEqual([...new Set(seen)], seen, nameOf(boundary));
  }
  const counts = Object.fromEntries(boundaries.map((boundary) => [nameOf(boundary), kindsInPairs(boundary).length]));
  assert.equal(counts['create events (1)'], 0);
  assert.equal(counts['get configmaps frp-web-config (1)'], 1);
  assert.equal(counts['list pods (1)'], 2);
  assert.equal(counts['create configmaps frp-web-config (1)'], 12);
});

test('what a pair would try at a write is all that can be seen there', () => {
  for (const call of [sites.createChild, sites.applyChild, sites.applyStatus, sites.deleteChild]) {
    const all = kinds.filter(({ appliesTo }) => appliesTo(call)).map(({ sees }) => sees(call));
    const [boundary] = boundariesOf({
      ...trace,
      calls: [{ ...call, at: 0, run: 1, query: {}, body: 0, seen: call.done }],
    });
    assert.ok(boundary);
    const tried = kindsInPairs(boundary).map(({ sees }) => sees(call));
    assert.deepEqual([...new Set(all)].filter((sight) => sight !== 'nothing').sort(), [...tried].sort());
  }
});

test('double faults are all pairs in order, and are counted without being made', () => {
  const plans = [...doubleFaults('create-tcp', boundaries)];
  assert.equal(plans.length, countDoubleFaults(boundaries));
  assert.equal(new Set(plans.map(({ faults }) => JSON.stringify(faults))).size, plans.length);
  const order = boundaries.map(({ match }) => JSON.stringify(match));
  for (const { faults } of plans) {
    const [first = -1, second = -1] = faults.map(({ match }) => order.indexOf(JSON.stringify(match)));
    assert.ok(first >= 0 && first < second);
  }
});

test('the end may be another where somebody did what nobody mends', () => {
  const plan = (how: 'touch' | 'delete' | 'squat' | 'edit-parent' | 'delete-parent', name: string): FaultPlan => ({
    kind: 'faults',
    scenario: 'create-tcp',
    faults: [
      { match: { verb: 'get', resource: 'secrets', name, nth: 1 }, when: 'before', action: { do: 'meddle', how } },
    ],
  });
  assert.ok(altersEnd(plan('squat', 'frp-web-tls')) && altersEnd(plan('delete-parent', 'web')));
  assert.ok(altersEnd(plan('delete', 'own-tls')) && !altersEnd(plan('delete', 'frp-web-tls')));
  assert.ok(!altersEnd(plan('touch', 'frp-web-tls')) && !altersEnd(plan('edit-parent', 'web')));
});

test('a sample has each kind as often as any other, and is the same for the same salt', () => {
  const plans = singleFaults('create-tcp', boundaries, kinds);
  const sample = sampleOf(plans, 120, 'one');
  assert.equal(sample.length, 120);
  assert.deepEqual(sampleOf(plans, 120, 'one'), sample);
  assert.notDeepEqual(sampleOf(plans, 120, 'two'), sample);
  const present = new Set(plans.map(({ about = '' }) => about.split(' ')[0]));
  assert.equal(new Set(sample.map(({ about = '' }) => about.split(' ')[0])).size, present.size);
  assert.equal(sampleOf(plans, 1e6).length, plans.length);
});
