import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChance } from '../../../packages/controller/testing/sim/random.ts';
import type { Finding } from '../../../packages/controller/testing/trace.ts';
import { givenOf, place } from '../sim/prepare.ts';
import { chosen } from './chosen.ts';
import { meetings } from './meetings.ts';
import { runSchedule } from './run-schedule.ts';

const runs = 200;
const mostTurns = 12;

test('three handlers on one object take turns at random', async (t) => {
  const chance = createChance(Number(process.env['SCHEDULE_SEED'] ?? 1));
  const groups = meetings(place).map(({ members }) => members.filter(({ name }) => chosen.has(name)));
  const large = groups.filter(({ length }) => length >= 3);
  const given = await Promise.all(large.map(([first]) => first && givenOf(first)));
  const failures: { readonly plan: object; readonly findings: readonly Finding[] }[] = [];
  let preempted = 0;
  for (let run = 0; run < runs; run += 1) {
    const index = chance.below(large.length);
    const [group, from] = [large[index], given[index]];
    if (group === undefined || from === undefined) continue;
    const scenarios = [0, 1, 2].flatMap(() => group[chance.below(group.length)] ?? []);
    const preemptions = Array.from({ length: 1 + chance.below(mostTurns) }, () => ({
      after: chance.below(15),
      to: chance.below(3),
    }));
    const plan = { first: chance.below(3), preemptions };
    const done = await runSchedule(plan, { from, scenarios, seed: 1000 + run });
    preempted += done.preempted;
    if (done.findings.length > 0)
      failures.push({ plan: { ...plan, scenarios: scenarios.map(({ name }) => name) }, findings: done.findings });
  }
  t.diagnostic(
    `counted: ${runs} random schedules of three handlers with ${preempted} preemptions; ${failures.length} failures`,
  );
  assert.ok(preempted > runs);
  assert.deepEqual(failures.slice(0, 3), []);
});
