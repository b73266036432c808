import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decideState, edges, type State, type StateFacts } from '../../status/state.ts';

const states = Object.keys(edges) as State[];
const quiet: StateFacts = {
  before: 'Pending',
  deleting: false,
  failed: false,
  waiting: false,
  running: false,
  available: false,
};

const rows: readonly [sentence: string, facts: Partial<StateFacts>, next: State, goal: State][] = [
  ['a service whose server profile is missing is pending', { waiting: true }, 'Pending', 'Pending'],
  ['a service that is being made is provisioning', {}, 'Provisioning', 'Provisioning'],
  [
    'a tunnel that is up already is still provisioned first',
    { running: true, available: true },
    'Provisioning',
    'Running',
  ],
  ['a provisioned service runs', { before: 'Provisioning', running: true, available: true }, 'Running', 'Running'],
  [
    'a provisioning service whose profile went away goes on provisioning',
    { before: 'Provisioning', waiting: true },
    'Provisioning',
    'Provisioning',
  ],
  [
    'a tunnel that is up without its backends is provisioning still',
    { available: true },
    'Provisioning',
    'Provisioning',
  ],
  ['a running service whose tunnel rolls is updating', { before: 'Running' }, 'Updating', 'Updating'],
  ['an updated service runs again', { before: 'Updating', running: true, available: true }, 'Running', 'Running'],
  [
    'a failed service comes back by updating while its tunnel is up',
    { before: 'Failed', available: true },
    'Updating',
    'Updating',
  ],
  [
    'a failed service comes back by provisioning without a tunnel',
    { before: 'Failed' },
    'Provisioning',
    'Provisioning',
  ],
  [
    'a failed service that runs again tells a step on the way',
    { before: 'Failed', running: true, available: true },
    'Updating',
    'Running',
  ],
  ['anything can fail', { before: 'Running', failed: true, available: true }, 'Failed', 'Failed'],
  ['a deleted service terminates', { before: 'Failed', deleting: true, failed: true }, 'Terminating', 'Terminating'],
  [
    'nothing comes after terminating',
    { before: 'Terminating', running: true, available: true },
    'Terminating',
    'Running',
  ],
];
for (const [sentence, facts, next, goal] of rows) {
  test(sentence, () => assert.deepEqual(decideState({ ...quiet, ...facts }), { next, goal }));
}

const anyFacts: fc.Arbitrary<StateFacts> = fc.record({
  before: fc.constantFrom(...states),
  deleting: fc.boolean(),
  failed: fc.boolean(),
  waiting: fc.boolean(),
  running: fc.boolean(),
  available: fc.boolean(),
});

test('whatever is observed, only allowed edges are taken, and the same facts come to rest', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      let before = facts.before;
      for (let step = 0; step <= states.length; step += 1) {
        const { next, goal } = decideState({ ...facts, before });
        assert.ok(next === before || edges[before].includes(next), `${before} → ${next}`);
        // Detours go through what is true on the way, never through a success, failure or deletion that is not there.
        const detour = next !== before && next !== goal;
        if (detour)
          assert.ok(next === 'Provisioning' || next === 'Updating', `${before} → ${next} on the way to ${goal}`);
        if (next === before) return;
        before = next;
      }
      assert.fail('the state never came to rest');
    }),
    { numRuns: 1000 },
  );
});

test('every state is told of some facts, and every allowed edge is taken by some', () => {
  const taken = new Set<string>();
  for (const facts of fc.sample(anyFacts, 5000)) {
    const { next } = decideState(facts);
    if (next !== facts.before) taken.add(`${facts.before} → ${next}`);
  }
  const allowed = Object.entries(edges).flatMap(([from, to]) => to.map((state) => `${from} → ${state}`));
  assert.deepEqual([...taken].sort(), allowed.sort());
});
