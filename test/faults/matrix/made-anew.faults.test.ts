import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Boundary, faultAt, nameOf } from '../../../packages/controller/testing/kinds/boundaries.ts';
import { isEvent, isWrite } from '../../../packages/controller/testing/kinds/kind.ts';
import { kinds } from '../../../packages/controller/testing/kinds/kinds.ts';
import { distinctBoundaries } from '../kinds/prune.ts';
import type { FaultPlan } from '../plan.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import type { Prepared } from '../sim/prepare.ts';
import { prepareAll, runPlans } from './run-plans.ts';
import { describeFailures } from './tally.ts';

/** The scenarios that send a service to another FRP server, where a token of the one must never be shown to the other. */
const moves: ReadonlySet<string> = new Set([
  'change-server-profile',
  'profile-address',
  'profile-shared-changed',
  'profile-own-over-shared',
]);

/** Somebody makes the service anew just before each write, and between two passes: just after each status, which a pass writes last. */
function plansOf({ scenario, clean }: Prepared): readonly FaultPlan[] {
  const kind = kinds.find(({ id }) => id === 'R2-parent-recreated') ?? assert.fail('there is no such kind');
  const writes = distinctBoundaries(clean).filter(({ call }) => isWrite(call) && !isEvent(call));
  return writes.flatMap((boundary) =>
    momentsOf(boundary).map((when) => ({
      kind: 'faults' as const,
      about: `${kind.id} ${when} ${nameOf(boundary)}`,
      scenario: scenario.name,
      faults: [faultAt(boundary, { ...kind, when })],
    })),
  );
}

function momentsOf({ call }: Boundary): readonly ('before' | 'after')[] {
  return call.resource.endsWith('/status') ? ['before', 'after'] : ['before'];
}

test('a service that goes to another FRP server is made anew at each write', async (t) => {
  const rows = await prepareAll(scenarios.filter(({ name }) => moves.has(name)));
  assert.equal(rows.size, moves.size);
  for (const [name, { clean }] of rows)
    assert.ok(
      clean.changes.some(({ type, object }) => type === 'DELETED' && object.metadata.name === 'frp-web-identity'),
      `${name} makes another token`,
    );
  const tally = await runPlans([...rows.values()].flatMap(plansOf), rows);
  t.diagnostic(`counted: ${tally.plans} plans, ${tally.calls} API calls, ${tally.failures.length} failures`);
  assert.equal(tally.failures.length, 0, describeFailures(tally));
});
