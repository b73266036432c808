import { createProgress } from '../progress.ts';
import type { Scenario } from '../scenario.ts';
import { givenOf, place } from '../sim/prepare.ts';
import { type Explored, explore } from './explore.ts';
import { meetings, pairsOf } from './meetings.ts';

export interface Met extends Explored {
  readonly pairs: number;
}

/** Explores every schedule of every pair that can meet, of those scenarios that are wanted. */
export async function runMeetings(isWanted: (scenario: Scenario) => boolean, part = 0, parts = 1): Promise<Met> {
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
      progress(run);
    }
  }
  return { pairs, schedules, run, failures };
}
