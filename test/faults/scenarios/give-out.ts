import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { createClock } from '../../../packages/controller/testing/sim/clock.ts';
import { startSimulatedCluster } from '../../../packages/controller/testing/sim/cluster.ts';
import { createChance } from '../../../packages/controller/testing/sim/random.ts';
import { askAsUser, createUser } from '../../../packages/controller/testing/sim/user.ts';
import type { User } from '../../../packages/controller/testing/user.ts';
import { emptyCluster } from '../sim/prepare.ts';

/**
 * Creates these objects on an embedded API with the definitions of Knudge, where nobody reacts to anything; throws what
 * the API server says against any of them. Gives the person.
 */
export async function giveOut(objects: readonly KubeObject[]): Promise<User> {
  const clock = createClock(Date.parse('2026-01-01T00:00:00Z'));
  const cluster = startSimulatedCluster({
    from: await emptyCluster(),
    clock,
    chance: createChance(1),
    onChange: () => undefined,
  });
  const nothing = async (): Promise<void> => undefined;
  const user = createUser({ ask: askAsUser(cluster), rest: nothing, resync: nothing, lift: () => undefined });
  for (const object of objects) await user.create(object);
  return user;
}
