import assert from 'node:assert/strict';
import type { Condition } from '../../../packages/controller/domain/conditions.ts';
import { describe, type KubeObject, type ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import { drain } from '../../../packages/controller/testing/sim/drain.ts';
import type { Simulation } from '../../../packages/controller/testing/sim/simulation.ts';
import { pathOf } from '../../../packages/controller/testing/sim/user.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import type { User } from '../../../packages/controller/testing/user.ts';
import type { Scenario } from '../scenario.ts';
import { aboutWeb, webRef } from '../scenarios/cast.ts';
import { judgeRun } from '../sim/judge.ts';
import { givenOf, heal, place, resync, userOf } from '../sim/prepare.ts';
import { type SimulationParts, startSimulation } from '../sim/simulation.ts';

/** An object as tests look into it. */
export interface Seen extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, string>>;
  readonly status?: {
    readonly state?: string;
    readonly phase?: string;
    readonly observedGeneration?: number;
    readonly lastReconciled?: string;
    readonly conditions?: readonly Condition[];
  };
}

/** A cluster that the world does things to, and what tests look at. */
export interface World {
  readonly simulation: Simulation;
  readonly user: User;
  /** Until nothing moves. */
  settle(): Promise<void>;
  /** A tick of the resync and all that follows. */
  resync(): Promise<void>;
  find(ref: ObjectRef): Seen | undefined;
  /** The same; fails where there is none. */
  see(ref: ObjectRef): Seen;
  /** The state of a service; of `web` if none is named. */
  state(name?: string): string | undefined;
  /** `True Running`: status and reason of a condition. */
  condition(type: string, ref?: ObjectRef): string;
  /** API calls so far that changed something, by `verb resource name`. */
  writes(): readonly string[];
  /**
   * Ends what was broken, lets a resync heal it and two more find nothing to do; fails where an oracle has a word to say,
   * which knows the same without faults by `clean`.
   */
  rest(clean?: Trace): Promise<Trace>;
}

export interface WorldParts extends Partial<SimulationParts>, Partial<Pick<Scenario, 'given' | 'before' | 'days'>> {}

/** Brings what is given to rest, and then lets a test do with it what it likes. */
export async function inWorld(parts: WorldParts, act: (world: World) => Promise<void>): Promise<void> {
  const { given = () => [], before, days, from, seed = 1, parents = [webRef(place)], ...rest } = parts;
  const scenario = aboutWeb({
    name: 'world',
    given,
    when: async () => undefined,
    ...(before && { before }),
    ...(days !== undefined && { days }),
  });
  const start = from ?? (await givenOf({ ...scenario, parents: () => parents }));
  const simulation = startSimulation({ from: start, seed, parents, ...rest });
  try {
    await act(worldOf(simulation));
  } finally {
    simulation.close();
  }
}

function worldOf(simulation: Simulation): World {
  const find = (ref: ObjectRef): Seen | undefined => simulation.ask('GET', pathOf(ref)) as Seen | undefined;
  const see = (ref: ObjectRef): Seen => {
    const found = find(ref);
    assert.ok(found, `${describe(ref)} is not there`);
    return found;
  };
  const now = (): Trace => simulation.trace([]);
  return {
    simulation,
    find,
    see,
    user: userOf(simulation),
    settle: () => drain(simulation),
    resync: () => resync(simulation),
    state: (name = 'web') => find(webRef(place, name))?.status?.state,
    condition: (type, ref = webRef(place)) => {
      const found = find(ref)?.status?.conditions?.find((one) => one.type === type);
      return found === undefined ? 'absent' : `${found.status} ${found.reason}`;
    },
    writes: () =>
      now()
        .calls.filter(({ verb, resource }) => verb !== 'get' && verb !== 'list' && resource !== 'events')
        .map(({ verb, resource, ref }) => `${verb} ${resource} ${ref.name}`),
    rest: async (clean) => {
      await drain(simulation);
      const trace = await heal(simulation);
      assert.deepEqual(judgeRun(trace, clean), []);
      return trace;
    },
  };
}
