import type { Wanted } from '../faults/mesh/at-rest.ts';
import type { Stage } from '../faults/mesh/stage.ts';
import { until } from '../kube/until.ts';

const patienceSeconds = 60;

/** By events, and where they were not enough by one resync: what is replayed is a day, whatever it took. Such a day is told. */
export async function converged(stage: Stage, wanted: Wanted, say: (text: string) => void): Promise<void> {
  try {
    await stage.converged(wanted, patienceSeconds);
  } catch (error) {
    const hops = stage.mesh().hops.filter((hop) => JSON.stringify(hop).includes('/pods/backend-'));
    const told = hops.slice(-10).map((hop) => JSON.stringify(hop).slice(0, 300));
    say(`a resync was needed: ${(error as Error).message}; last of the backends: ${told.join(' ')}`);
    await stage.resync(wanted);
    await stage.converged(wanted, patienceSeconds);
  }
}

/** A resync may have made right what the sources, one event after the other, have yet to tell. */
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
