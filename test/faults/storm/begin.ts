import { refOf } from '../../../packages/controller/domain/kube-object.ts';
import { drain } from '../../../packages/controller/testing/sim/drain.ts';
import type { Snapshot } from '../../../packages/controller/testing/sim/snapshot.ts';
import { emptyCluster, userOf } from '../sim/prepare.ts';
import { startSimulation } from '../sim/simulation.ts';
import { parents } from './operation.ts';
import { givenObjects } from './operations/on-the-rest.ts';

let given: Promise<Snapshot> | undefined;

/** The cluster in which every storm begins, all at rest. */
export function calmCluster(): Promise<Snapshot> {
  given ??= bringToRest();
  return given;
}

async function bringToRest(): Promise<Snapshot> {
  const simulation = startSimulation({ from: await emptyCluster(), seed: 7, parents });
  const user = userOf(simulation);
  for (const object of givenObjects()) {
    await user.create(object);
    if (refOf(object).kind === 'Namespace') await drain(simulation);
  }
  await drain(simulation);
  const snapshot = simulation.cluster.snapshot();
  simulation.close();
  return snapshot;
}
