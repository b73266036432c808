import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, type KubeObject, type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Person } from './person.ts';

/** Somebody who waits for nobody: what cannot be made because its namesake has not gone yet is made later. */
export interface Unhurried {
  readonly person: Person;
  /** Makes all that was left for later, and waits for it; gives how many there were. */
  catchUp(): Promise<number>;
}

export function createUnhurried(insistent: Person, isThere: (ref: ObjectRef) => Promise<boolean>): Unhurried {
  const late = new Map<string, KubeObject>();
  return {
    person: {
      create: async (object) => {
        const ref = refOf(object);
        if (await isThere(ref)) late.set(describe(ref), object);
        else await insistent.create(object);
      },
      patch: async (ref, change) => {
        const waiting = late.get(describe(ref));
        if (waiting === undefined) await insistent.patch(ref, change);
        else late.set(describe(ref), { ...waiting, ...change });
      },
      delete: async (ref) => {
        late.delete(describe(ref));
        await insistent.delete(ref);
      },
    },
    catchUp: async () => {
      const all = [...late.values()];
      late.clear();
      for (const object of all) await insistent.create(object);
      return all.length;
    },
  };
}

/** One resync, and none again where it finds nothing: the synchronous Broker answers when it has asked after everybody. */
export async function askForResync(broker: string): Promise<void> {
  const headers = {
    'ce-specversion': '1.0',
    'ce-type': 'dev.knudge.resync.due',
    'ce-id': randomUUID(),
    'ce-source': '/test',
  };
  assert.equal((await fetch(broker, { method: 'POST', headers })).status, 202);
}
