import type { Fault } from '../../../packages/controller/testing/fault.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import type { Place } from '../scenario.ts';
import { withNamedGone } from './same-names.ts';
import { type Stage, type StageParts, setStage } from './stage.ts';
import { traceOf } from './trace-of.ts';

/** What a run on a real API server has shown. */
export interface RealRun {
  readonly scenario: string;
  readonly trace: Trace;
  readonly place: Place;
  readonly unreached: readonly Fault[];
  /** What went wrong with the test itself: then the run proves nothing. */
  readonly problems: readonly string[];
}

const day = 86_400_000;

/**
 * Runs a scenario with faults: what is given is made right without any; then it happens, with faults, until all rests;
 * then without, a resync heals what is left, and two more must find nothing to do.
 */
export async function runScenario(parts: StageParts): Promise<RealRun> {
  const { scenario } = parts;
  const stage = await setStage(parts);
  const { place, user, proxy, tick } = stage;
  try {
    for (const object of scenario.given(place)) await user.create(object);
    await stage.settle();
    await scenario.before?.(user, place, async (days) => {
      await stage.settle();
      stage.pass(days * day);
    });
    await stage.settle();
    stage.pass((scenario.days ?? 0) * day);
    if (scenario.days !== undefined) await stage.resync();
    const began = tick();
    proxy.arm();
    await scenario.when(user, place);
    await stage.settle();
    proxy.lift();
    const lifted = tick();
    await stage.resync();
    const rest = tick();
    const resting = stage.log.objects();
    await stage.resync();
    await stage.resync();
    const end = tick();
    const parents = scenario.parents(place);
    const trace = traceSince(began, stage, { marks: { lifted, rest, end }, resting, parents });
    return { scenario: scenario.name, trace, place, unreached: proxy.missed(), problems: stage.problems };
  } finally {
    await stage.close();
  }
}

function traceSince(
  began: number,
  { log, writes, proxy, answers, output, now }: Stage,
  rest: Pick<Trace, 'marks' | 'resting' | 'parents'>,
): Trace {
  const gone = log.changes.filter(({ type, seen }) => type === 'DELETED' && seen < began).map(({ object }) => object);
  const trace = traceOf({
    ...rest,
    calls: proxy.calls.filter(({ at }) => at > began),
    changes: log.changes,
    since: began,
    answers: answers.filter((answer) => answer.began > began),
    writes,
    objects: log.objects(),
    output,
    now: now(),
  });
  return withNamedGone(trace, gone);
}
