import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import { act, prepare } from '../sim/prepare.ts';
import { compare } from './differences.ts';
import { masks } from './masks.ts';
import { type Twin, twins } from './twins.ts';

const nothing: Trace = {
  calls: [],
  changes: [],
  answers: [],
  objects: [],
  resting: [],
  output: [],
  parents: [],
  marks: { lifted: 0, rest: 0, end: 0 },
  now: 0,
  staleReads: false,
};

function side(objects: readonly KubeObject[], namespace = 'shop') {
  const parent = { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace, name: 'hello' };
  return { trace: { ...nothing, parents: [parent] }, objects };
}

function differ({ one, other, home }: Twin, without?: string): readonly string[] {
  const some = masks.filter(({ hides }) => hides !== without);
  return compare(side(one), side(other, home), some);
}

test('there are at most fifteen masks, each with a reason and a name of its own', () => {
  assert.ok(masks.length <= 15);
  assert.equal(new Set(masks.map(({ hides }) => hides)).size, masks.length);
  for (const { why } of masks) assert.ok(why.length > 10);
});

for (const { hides } of masks) {
  test(`needed: ${hides}`, () => {
    const twin = twins.hidden[hides];
    assert.ok(twin, 'two honest objects that differ in it');
    assert.deepEqual(differ(twin), [], 'hidden by the masks');
    assert.notDeepEqual(differ(twin, hides), [], 'and not without this one');
  });
}

for (const [what, twin] of Object.entries(twins.shown)) {
  test(`not hidden: ${what}`, () => assert.equal(differ(twin).length, 1));
}

for (const name of ['create-generated-mtls', 'create-with-workload', 'message-create', 'recreate']) {
  test(`two honest runs of ${name} that drew other numbers are the same`, async () => {
    const scenario = scenarios.find((one) => one.name === name);
    assert.ok(scenario);
    const { from, clean } = await prepare(scenario);
    const { trace } = await act(scenario, { from, seed: 12345 });
    const pair = [clean, trace].map((of) => ({ trace: of, objects: of.resting })) as [Side, Side];
    assert.deepEqual(compare(...pair), []);
    assert.notDeepEqual(compare(...pair, []), []);
  });
}

type Side = { readonly trace: Trace; readonly objects: readonly KubeObject[] };
