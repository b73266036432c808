// All there is: npm run matrix -- --singles | --doubles | --schedules [--part I/N] [--json]
import { parseArgs } from 'node:util';
import { singleFaults } from '../kinds/enumerate.ts';
import { kindsInPairs } from '../kinds/pairs.ts';
import { distinctBoundaries } from '../kinds/prune.ts';
import type { FaultPlan } from '../plan.ts';
import { runMeetings } from '../schedules/run-meetings.ts';
import { partOf } from '../share.ts';
import type { Prepared } from '../sim/prepare.ts';
import { prepareAll, runPlans } from './run-plans.ts';
import { someDoubles } from './some-doubles.ts';

const usage = `usage: npm run matrix -- (--singles | --doubles | --schedules) [--part I/N] [--json]
  --singles     every scenario: every distinct call with every kind of fault that differs in effect there
  --doubles     creations and deletions: every two of them in one run
  --schedules   every schedule with at most two preemptions of every pair of scenarios that can meet
  --part I/N    the I-th of N shares of it, from 1: for as many processes; each takes hours
  --json        the counts as JSON`;

const { values } = parseArgs({
  options: {
    singles: { type: 'boolean', default: false },
    doubles: { type: 'boolean', default: false },
    schedules: { type: 'boolean', default: false },
    part: { type: 'string', default: '1/1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [part = 1, parts = 1] = values.part.split('/').map(Number);
const began = Date.now();

if (values.help || [values.singles, values.doubles, values.schedules].filter(Boolean).length !== 1) {
  console.log(usage);
  process.exitCode = values.help ? 0 : 2;
} else if (values.schedules) {
  const { failures, ...counts } = await runMeetings(() => true, part - 1, parts);
  tell({ ...counts, failures: failures.length });
} else {
  const rows = await prepareAll();
  const plans = values.doubles ? [...someDoubles(rows.values(), 1)] : everySingle(rows.values());
  const tally = await runPlans(partOf(plans, part - 1, parts), rows);
  const { kinds, failures, ...counts } = tally;
  tell({ ...counts, ofPlans: plans.length, kinds: kinds.size, failures: failures.length });
}

function everySingle(rows: Iterable<Prepared>): readonly FaultPlan[] {
  return [...rows].flatMap(({ scenario, clean }) =>
    distinctBoundaries(clean).flatMap((boundary) => singleFaults(scenario.name, [boundary], kindsInPairs(boundary))),
  );
}

function tell(counts: Readonly<Record<string, number>>): void {
  const all: Readonly<Record<string, number>> = { ...counts, seconds: Math.round((Date.now() - began) / 1000) };
  const words = Object.entries(all).map(([name, value]) => `${value} ${name}`);
  console.log(values.json ? JSON.stringify(all) : words.join(', '));
  process.exitCode = all['failures'] === 0 ? 0 : 1;
}
