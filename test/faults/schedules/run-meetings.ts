import type { Snapshot } from '../../../packages/controller/testing/sim/snapshot.ts';
import { withoutStacks } from '../../../packages/controller/testing/sim/stacks.ts';
import { createProgress } from '../progress.ts';
import type { Scenario } from '../scenario.ts';
import { partOf } from '../share.ts';
import { givenOf, place } from '../sim/prepare.ts';
import { type Explored, explore } from './explore.ts';
import { type Meeting, meetings, pairsOf } from './meetings.ts';

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
  const every = meetings(place).flatMap((meeting) => {
    const members = meeting.members.filter(isWanted);
    return pairsOf({ members }).map((scenarios) => ({ meeting, scenarios }));
  });
  const shared = partOf(every, part, parts);
  const progress = createProgress('pairs of scenarios', shared.length);
  const failures: Explored['failures'][number][] = [];
  const snapshots = new Map<Meeting, Snapshot>();
  let [pairs, schedules, run] = [0, 0, 0];
  for (const { meeting, scenarios } of shared) {
    const from = snapshots.get(meeting) ?? (await givenOf(scenarios[0]));
    snapshots.set(meeting, from);
    const explored = await explore({ from, scenarios });
    pairs += 1;
    schedules += explored.schedules;
    run += explored.run;
    failures.push(...explored.failures);
    for (const failure of explored.failures) process.stderr.write(`${describeSchedule(failure)}\n`);
    progress(pairs);
  }
  return { pairs, schedules, run, failures };
}
