import type { KubeObject, ObjectRef } from '../../domain/kube-object.ts';
import { rowKind } from '../../functions/change-rows.ts';
import { drain } from '../sim/drain.ts';
import type { Functions } from '../sim/functions.ts';
import { isOver, type Simulation, startSimulation } from '../sim/simulation.ts';
import type { Snapshot } from '../sim/snapshot.ts';
import { createUser } from '../sim/user.ts';
import type { Trace } from '../trace.ts';
import type { User } from '../user.ts';
import { requestOf } from './functions.ts';
import { take } from './steps.ts';
import { type Stop, stopOf } from './stop.ts';
import type { FaultScenario } from './suite.ts';
import type { Trouble } from './trouble.ts';

export interface Playing {
  readonly scenario: FaultScenario;
  readonly from: Snapshot;
  readonly functions: Functions;
  readonly parents: readonly ObjectRef[];
  /** `group/Kind` of all that is reconciled. */
  readonly parentKinds: ReadonlySet<string>;
}

export interface Played {
  readonly trace: Trace;
  /** What each event was about that was on its way before the faults ended. */
  readonly events: readonly string[];
  /** Why it ended before its end; absent where it did not. */
  readonly stopped?: Stop;
  /** The trouble came to pass. */
  readonly isHit: boolean;
}

/** Brings what a scenario is given to rest, without faults. */
export async function givenOf({ scenario, from, functions, parents }: Playing): Promise<Snapshot> {
  const simulation = startSimulation({ from, seed: 7, parents, functions });
  const user = userOf(simulation);
  for (const object of scenario.given ?? []) await user.create(object);
  await drain(simulation);
  const snapshot = simulation.cluster.snapshot();
  simulation.close();
  return snapshot;
}

/**
 * Plays a scenario with one trouble: what failed is delivered again, one resync heals what is left, and another one
 * shows whether all is at rest.
 */
export async function play(playing: Playing, trouble?: Trouble): Promise<Played> {
  const { faults = [], event, twinAt } = trouble ?? {};
  const { scenario, from, functions, parents, parentKinds } = playing;
  const events: string[] = [];
  let isLifted = false;
  const simulation = startSimulation({
    from,
    seed: 1,
    parents,
    functions,
    faults,
    coalesce: event?.fate !== 'twice',
    fate: (one) => {
      if (isLifted) return [one];
      const { kind = '', name = '' } = one.attributes;
      if (functions.dueOf(one).length === 0) return [];
      events.push(`${kind} ${name} (${String(events.length)})`);
      if (event?.nth !== events.length - 1) return [one];
      return event.fate === 'lost' ? [] : [one, one];
    },
  });
  const twinned = twinAt === undefined ? undefined : withTwin(simulation, twinAt);
  const acting = twinned?.simulation ?? simulation;
  const isHit = (): boolean =>
    simulation.gate.missed().length === 0 &&
    (event === undefined || events.length > event.nth) &&
    (twinned === undefined || twinned.isDone());
  try {
    simulation.recorder.by = { who: 'user' };
    for (const step of scenario.steps) {
      if (trouble === undefined) await take(step, userOf(simulation));
      else await takeIfThere(step, userOf(simulation));
      await drain(acting);
    }
    simulation.gate.lift();
    isLifted = true;
    simulation.recorder.mark('lifted');
    await resync(simulation, parentKinds);
    simulation.recorder.mark('rest');
    const resting = simulation.cluster.api.client.all();
    await resync(simulation, parentKinds);
    simulation.recorder.mark('end');
    return { trace: simulation.trace(resting), events, isHit: isHit() };
  } catch (error) {
    return { trace: simulation.trace([]), events, stopped: stopOf(error), isHit: isHit() };
  } finally {
    simulation.close();
  }
}

/** What a fault has taken away cannot be changed or removed once more. */
async function takeIfThere(step: FaultScenario['steps'][number], user: User): Promise<void> {
  if (step.do !== 'apply' && (await user.get(step.ref)) === undefined) return;
  await take(step, user);
}

/** The same simulation in which a second process carries out an event when the first is about to make that call. */
function withTwin(simulation: Simulation, at: number) {
  let calls = 0;
  let isDone = false;
  const step: Simulation['step'] = async (run) => {
    if (run.calls.length > 0) calls += 1;
    if (calls === at + 1 && !isDone) {
      isDone = true;
      const twin = await simulation.start(run.due, true);
      while (!isOver(twin) && (await simulation.step(twin)));
    }
    return simulation.step(run);
  };
  return { simulation: { ...simulation, step }, isDone: () => isDone };
}

/** As the manifests tick. */
const tickMs = 300_000;

/** The resync asks after every parent there is. */
async function resync(simulation: Simulation, parentKinds: ReadonlySet<string>): Promise<void> {
  const { clock, cluster } = simulation;
  clock.pass(tickMs);
  const isParent = (object: KubeObject): boolean => parentKinds.has(rowKind(object));
  for (const parent of cluster.api.client.all().filter(isParent))
    simulation.send(requestOf(parent, `round-${String(clock.elapsed())}`, clock.now()));
  await drain(simulation);
}

function userOf(simulation: Simulation): User {
  const rest = (): Promise<void> => drain(simulation);
  return createUser({ ask: simulation.ask, rest, resync: rest, lift: simulation.gate.lift });
}
