import { type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { createClock } from '../../../packages/controller/testing/sim/clock.ts';
import { startSimulatedCluster } from '../../../packages/controller/testing/sim/cluster.ts';
import { drain } from '../../../packages/controller/testing/sim/drain.ts';
import { createChance } from '../../../packages/controller/testing/sim/random.ts';
import type { Simulation } from '../../../packages/controller/testing/sim/simulation.ts';
import type { Snapshot } from '../../../packages/controller/testing/sim/snapshot.ts';
import { askAsUser, createUser, pathOf } from '../../../packages/controller/testing/sim/user.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import type { User } from '../../../packages/controller/testing/user.ts';
import type { Pass, Place, Scenario } from '../scenario.ts';
import type { SimulationParts } from './simulation.ts';
import { startSimulation } from './simulation.ts';
import { manifests } from './source.ts';
import { tick } from './tick.ts';

/** The places of every run on the embedded API. */
export const place: Place = { namespace: 'shop', controller: 'knudge' };

/** A scenario with everything that is there before it, and what it is without faults. */
export interface Prepared {
  readonly scenario: Scenario;
  readonly from: Snapshot;
  readonly clean: Trace;
}

const day = 86_400_000;

/** Brings what the scenario is given to rest, and runs it once without faults. */
export async function prepare(scenario: Scenario): Promise<Prepared> {
  const from = await givenOf(scenario);
  const { trace } = await act(scenario, { from, seed: 1 });
  return { scenario, from, clean: trace };
}

/** The cluster before the scenario. */
export async function givenOf(scenario: Scenario): Promise<Snapshot> {
  const parents = scenario.parents(place);
  const simulation = startSimulation({ from: await emptyCluster(), seed: 7, parents });
  const user = userOf(simulation);
  for (const object of scenario.given(place)) await user.create(object);
  await drain(simulation);
  const pass: Pass = async (days) => {
    await drain(simulation);
    simulation.clock.pass(days * day);
    await drain(simulation);
  };
  await scenario.before?.(user, place, pass);
  await pass(scenario.days ?? 0);
  const snapshot = simulation.cluster.snapshot();
  simulation.close();
  return snapshot;
}

let empty: Promise<Snapshot> | undefined;

/** Definitions and namespaces, and nothing else. */
export function emptyCluster(): Promise<Snapshot> {
  empty ??= install();
  return empty;
}

async function install(): Promise<Snapshot> {
  const clock = createClock(Date.parse('2026-01-01T00:00:00Z'));
  const cluster = startSimulatedCluster({ from: undefined, clock, chance: createChance(5), onChange: () => undefined });
  const ask = askAsUser(cluster);
  const create = (object: KubeObject) => ask('POST', pathOf({ ...refOf(object), namespace: '', name: '' }), object);
  const settle = (): void => {
    while (cluster.tasks() > 0) cluster.runTask();
  };
  settle();
  for (const crd of manifests.objects.filter(({ kind }) => kind === 'CustomResourceDefinition')) create(crd);
  settle();
  for (const name of [place.namespace, place.controller]) {
    create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  settle();
  const snapshot = cluster.snapshot();
  cluster.close();
  return snapshot;
}

export interface Acted {
  readonly trace: Trace;
  readonly simulation: Simulation;
}

/** Runs a scenario from its snapshot: faults while it lasts, then none, a resync that heals, and two more that must change nothing. */
export async function act(scenario: Scenario, parts: Omit<SimulationParts, 'parents' | 'rival'>): Promise<Acted> {
  const simulation = startSimulation({ ...parts, rival: scenario.rival, parents: scenario.parents(place) });
  simulation.recorder.by = { who: 'user' };
  await scenario.when(userOf(simulation), place);
  await drain(simulation);
  const trace = await heal(simulation);
  simulation.close();
  return { trace, simulation };
}

/**
 * Ends the faults, and gives the trace when all has come to rest and stayed so for two more resyncs. In a hurry the second
 * is spared where the first wrote nothing: it would see the very same objects, five minutes later. A Claim that the resync which heals has
 * let go is kept a minute, so the next one takes it away.
 */
export async function heal(simulation: Simulation, { isHurried = false } = {}): Promise<Trace> {
  const { recorder, gate, cluster } = simulation;
  gate.lift();
  recorder.mark('lifted');
  await resync(simulation);
  if (cluster.api.client.all().some(isLetGo)) await resync(simulation);
  recorder.mark('rest');
  const resting = cluster.api.client.all();
  await resync(simulation);
  if (!isHurried || !isSame(resting, cluster.api.client.all())) await resync(simulation);
  recorder.mark('end');
  return simulation.trace(resting);
}

function isLetGo({ kind, ...claim }: KubeObject & { readonly spec?: { readonly state?: unknown } }): boolean {
  return kind === 'Claim' && claim.spec?.state === 'Released';
}

/** An object that nobody has written is the same value. */
function isSame(some: readonly KubeObject[], others: readonly KubeObject[]): boolean {
  return some.length === others.length && some.every((object, index) => object === others[index]);
}

/** One tick of the resync and all that follows. */
export async function resync(simulation: Simulation): Promise<void> {
  const { clock } = simulation;
  clock.pass(tickMs);
  simulation.send(tick(clock.now(), `tick-${clock.elapsed()}`));
  await drain(simulation);
}

/** As the PingSource of the manifests ticks. */
const tickMs = 300_000;

export function userOf(simulation: Simulation): User {
  return createUser({
    ask: simulation.ask,
    rest: () => drain(simulation),
    resync: () => resync(simulation),
    lift: simulation.gate.lift,
  });
}
