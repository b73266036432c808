import type { Transport } from '../controller/cluster/call.ts';
import { type LeaseName, leaseRef, makeLease, microTime, patchLease } from '../controller/cluster/lease.ts';
import { readObject } from '../controller/cluster/read.ts';
import { KnudgeError } from '../controller/domain/errors.ts';
import type { KubeObject } from '../controller/domain/kube-object.ts';

/** What a Lease says, as far as an election goes by it. */
export interface LeaseState {
  /** Another one after each write. */
  readonly version: string;
  /** The process that holds it; empty: no process does. */
  readonly holder: string;
}

/** A Lease that a process holds or does not. Each call rejects with a KnudgeError. */
export interface Lease {
  /** Undefined: it is not there. */
  read(): Promise<LeaseState | undefined>;
  /** Makes it, held by this process; rejects with `conflict` where another process was faster. */
  make(holder: string): Promise<LeaseState>;
  /** Writes who holds it, if it still is as it was read; rejects with `conflict` otherwise. Empty: no process does. */
  write(state: LeaseState, holder: string): Promise<LeaseState>;
}

/** How the API server is asked for it. The times it says are for people: no clock is compared with them. */
export function leaseBy(
  transport: Transport,
  name: LeaseName,
  { durationSeconds, now }: { readonly durationSeconds: number; readonly now: () => Date },
): Lease {
  const write = async ({ version }: LeaseState, holder: string): Promise<LeaseState> => {
    const renewTime = microTime(now().toISOString());
    const spec = { holderIdentity: holder, leaseDurationSeconds: durationSeconds, renewTime };
    return stateOf(await patchLease(transport, name, { version, spec }));
  };
  return {
    read: async () => {
      const found = await readObject(transport, leaseRef(name));
      return found && stateOf(found);
    },
    make: async (holder) => {
      const made = stateOf(await makeLease(transport, name));
      if (made.holder !== '') throw new KnudgeError('conflict', `${made.holder} has made Lease ${name.name} before`);
      return write(made, holder);
    },
    write,
  };
}

function stateOf({
  metadata,
  spec,
}: KubeObject & { readonly spec?: { readonly holderIdentity?: string } }): LeaseState {
  return { version: metadata.resourceVersion ?? '', holder: spec?.holderIdentity ?? '' };
}
