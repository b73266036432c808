import { updateFields } from './fields.ts';
import { fieldsOf } from './rules.ts';
import { finalizersOf, ownerUidsOf, type Store, type Stored } from './store.ts';

/** What a foreground deletion waits for: the garbage collector takes it away when the dependents are gone. */
export const foregroundFinalizer = 'foregroundDeletion';

/** Runs the garbage collector until it finds nothing more to do. */
export function collectGarbage(store: Store): void {
  while (store.all().some((stored) => collectOne(store, stored))) {
    // Each round did one thing.
  }
}

/** Whether there was something to do. */
function collectOne(store: Store, stored: Stored): boolean {
  if (isWaiting(stored)) {
    const dependents = store.all().filter((other) => ownerUidsOf(other).includes(stored.system.uid));
    if (dependents.length === 0) return release(store, stored);
  }
  return isGarbage(store, stored) && isFresh(stored) && discard(store, stored);
}

function isGarbage(store: Store, stored: Stored): boolean {
  const uids = ownerUidsOf(stored);
  const living = store.all().filter((other) => uids.includes(other.system.uid) && !isWaiting(other));
  return uids.length > 0 && living.length === 0;
}

function isWaiting(stored: Stored): boolean {
  return !isFresh(stored) && finalizersOf(stored).includes(foregroundFinalizer);
}

function isFresh({ system }: Stored): boolean {
  return system.deletionTimestamp === undefined;
}

function release(store: Store, stored: Stored): boolean {
  const finalizers = finalizersOf(stored).filter((finalizer) => finalizer !== foregroundFinalizer);
  const metadata = { ...fieldsOf(stored.fields['metadata']), finalizers };
  store.change(stored, updateFields(stored, { ...stored.fields, metadata }, 'garbage-collector Update'));
  return true;
}

function discard(store: Store, stored: Stored): boolean {
  store.remove(stored);
  return true;
}
