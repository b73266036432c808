import { createProgress } from '../progress.ts';
import type { Scenario } from '../scenario.ts';
import { givenOf, place } from '../sim/prepare.ts';
import { withoutStacks } from '../sim/stacks.ts';
import { type Explored, explore } from './explore.ts';
import { meetings, pairsOf } from './meetings.ts';

export interface Met extends Explored {
  readonly pairs: number;
}

/** Explores every schedule of every pair that can meet, of those scenarios that are wanted; says at once which of them fails. */
export function runMeetings(isWanted: (scenario: Scenario) => boolean, part = 0, parts = 1): Promise<Met> {
  return withoutStacks(() => meetEach(isWanted, part, parts));
}

/** A failed schedule on one line: its plan, which is a file for `npm run fault`, and what the oracles say. */
export function describeSchedule({ plan, findings }: Explored['failures'][number]): string {
  return `${JSON.stringify(plan)}: ${findings.map(({ oracle, what }) => `${oracle} ${what}`).join('; ')}`;
}

async function meetEach(isWanted: (scenario: Scenario) => boolean, part: number, parts: number): Promise<Met> {
  const progress = createProgress('schedules');
  const failures: Explored['failures'][number][] = [];
  let [pairs, schedules, run, index] = [0, 0, 0, 0];
  for (const { members } of meetings(place)) {
    const wanted = members.filter(isWanted);
    const [first] = wanted;
    if (first === undefined) continue;
    const from = await givenOf(first);
    for (const scenarios of pairsOf({ members: wanted })) {
      index += 1;
      if (index % parts !== part) continue;
      const explored = await explore({ from, scenarios });
      pairs += 1;
      schedules += explored.schedules;
      run += explored.run;
      failures.push(...explored.failures);
      for (const failure of explored.failures) process.stderr.write(`${describeSchedule(failure)}\n`);
      progress(run);
    }
  }
  return { pairs, schedules, run, failures };
}
