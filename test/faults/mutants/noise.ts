import type { Fault } from '../../../packages/controller/testing/fault.ts';
import { drain } from '../../../packages/controller/testing/sim/drain.ts';
import { type Chance, createChance } from '../../../packages/controller/testing/sim/random.ts';
import type { Finding } from '../../../packages/controller/testing/trace.ts';
import type { User } from '../../../packages/controller/testing/user.ts';
import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';
import * as cast from '../scenarios/cast.ts';
import { judgeRun } from '../sim/judge.ts';
import { heal, type Prepared, place, userOf } from '../sim/prepare.ts';
import { startSimulation } from '../sim/simulation.ts';

/** Milliseconds: far below the five seconds of a call and the twenty-five of an event. */
const longestDelay = 400;

/**
 * A scenario with what goes on in any cluster: things that are nobody's business come, change and go, a label of
 * somebody's is put on an object of ours just before it is written, events come twice, answers are slow. What the
 * oracles say of it.
 */
export async function runWithNoise({ scenario, from, clean }: Prepared, seed: number): Promise<readonly Finding[]> {
  const chance = createChance(seed);
  const fate = (event: CloudEvent) => (chance.below(3) === 0 ? [event, event] : [event]);
  const faults = noiseIn(clean, chance);
  const simulation = startSimulation({ from, seed: 1000 + seed, parents: scenario.parents(place), faults, fate });
  try {
    const user = userOf(simulation);
    await arrive(user);
    await scenario.when(user, place);
    await drain(simulation);
    await change(user);
    await drain(simulation);
    await leave(user);
    await drain(simulation);
    return judgeRun(await heal(simulation), clean);
  } finally {
    simulation.close();
  }
}

/** One label in twelve calls, a delay in four. */
function noiseIn({ calls, marks }: Prepared['clean'], chance: Chance): readonly Fault[] {
  const counted = new Map<string, number>();
  return calls
    .filter(({ at }) => at < marks.lifted)
    .flatMap(({ verb, resource }): readonly Fault[] => {
      const nth = (counted.get(`${verb} ${resource}`) ?? 0) + 1;
      counted.set(`${verb} ${resource}`, nth);
      const match = { verb, resource, nth };
      switch (chance.below(12)) {
        case 0:
          return verb === 'list' ? [] : [{ match, when: 'before', action: { do: 'meddle', how: 'touch' } }];
        case 1:
        case 2:
        case 3:
          return [{ match, when: 'before', action: { do: 'delay', ms: chance.below(longestDelay) } }];
        default:
          return [];
      }
    });
}

const unrelated = [
  cast.pod(place, 'nobody', { app: 'of-somebody-else' }),
  cast.plainService(place, 'nobody'),
  cast.workload({ ...place, namespace: place.controller }, 1),
];

const refs = unrelated.map(({ apiVersion, kind, metadata: { name, namespace = '' } }) => ({
  apiVersion,
  kind,
  name,
  namespace,
}));

async function arrive(user: User): Promise<void> {
  for (const object of unrelated) await user.create(object);
}

async function change(user: User): Promise<void> {
  for (const ref of await thereOf(user)) {
    await user.patch(ref, { metadata: { labels: { 'example.com/touched': 'yes' } } });
  }
}

async function leave(user: User): Promise<void> {
  for (const ref of await thereOf(user)) await user.delete(ref);
}

/** In some scenarios a namespace goes with all that is in it, or a node. */
async function thereOf(user: User): Promise<typeof refs> {
  const objects = await Promise.all(refs.map((ref) => user.get(ref)));
  return refs.filter((_, index) => objects[index] !== undefined);
}
