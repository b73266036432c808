import { describe, type KubeObject, type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Reader } from '../../../packages/controller/domain/ports.ts';
import { Refused } from '../../../packages/controller/testing/user.ts';
import { distributedService, message } from '../../build/objects.ts';
import { seeded } from '../input/random.ts';
import { wrongsOf } from '../mesh/at-rest.ts';
import { createTenant, type Tenant } from '../mesh/changes.ts';
import { manual } from '../mesh/objects.ts';
import type { Person } from '../mesh/person.ts';
import { place } from '../sim/prepare.ts';
import type { World } from './world.ts';

/** Somebody who edits some hundred parents as a seed decides. */
export interface Crowd {
  readonly tenant: Tenant;
  /** How many parents there are. */
  readonly size: number;
  /** Makes what could not be made yet, for its namesake had not gone; gives how many still cannot. */
  catchUp(): Promise<number>;
  /** What is not as it must be, a sentence each. */
  wrongs(): Promise<readonly string[]>;
}

/** The crowd in a world, which has it already, or makes all that is `given`. */
export function openCrowd(world: World, seed: number, counts: { messages: number; services: number }): Crowd {
  const late = new Map<string, KubeObject>();
  const home = { namespace: place.namespace };
  const crowd = [
    ...numbers(counts.messages).map((number) => message(`m${number}`, `text ${number}`, home)),
    ...numbers(counts.services).map((number) => distributedService(`s${number}`, manual, home)),
  ];
  const tenant = createTenant(place.namespace, { random: seeded(seed), person: personIn(world, late), crowd });
  return {
    tenant,
    size: tenant.wanted().parents.length,
    catchUp: async () => {
      for (const object of [...late.values()]) await createOrWait(world, late, object);
      return late.size;
    },
    wrongs: () => wrongsOf(readerOf(world), tenant.wanted()),
  };
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

/** A person who makes something whose namesake has not gone yet does so later, and edits meanwhile what it will be. */
function personIn(world: World, late: Map<string, KubeObject>): Person {
  const { user } = world;
  return {
    create: (object) => createOrWait(world, late, object),
    patch: async (ref, change) => {
      const waiting = late.get(describe(ref));
      if (waiting !== undefined) late.set(describe(ref), { ...waiting, ...change });
      else if (world.find(ref) !== undefined) await user.patch(ref, change);
    },
    delete: async (ref) => {
      late.delete(describe(ref));
      if (world.find(ref) !== undefined) await user.delete(ref);
    },
  };
}

async function createOrWait({ user }: World, late: Map<string, KubeObject>, object: KubeObject): Promise<void> {
  const key = describe(refOf(object));
  try {
    await user.create(object);
    late.delete(key);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    late.set(key, object);
  }
}

function readerOf({ simulation }: World): Pick<Reader, 'list'> {
  const { client } = simulation.cluster.api;
  const isIn = (namespace: string) => (object: KubeObject) => object.metadata.namespace === namespace;
  return {
    list: async ({ apiVersion, kind, namespace }: Omit<ObjectRef, 'name'>) =>
      client.list({ apiVersion, kind }).filter(isIn(namespace)),
  };
}
