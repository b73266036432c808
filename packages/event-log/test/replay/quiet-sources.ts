import type { Stage } from '../../../../test/faults/mesh/stage.ts';
import { until } from '../../../../test/kube/until.ts';

const patienceSeconds = 60;

/** A resync may have made right what the sources, one event after the other, have yet to report. */
export async function sourcesAreQuiet(stage: Stage): Promise<void> {
  const told = (): number => stage.mesh().hops.filter(({ kind }) => kind === 'sent' || kind === 'lost').length;
  let last = { events: told(), at: performance.now() };
  await until(
    'the sources say nothing for two seconds',
    async () => {
      if (told() !== last.events) last = { events: told(), at: performance.now() };
      return performance.now() - last.at > 2000 || last;
    },
    patienceSeconds,
  );
}
