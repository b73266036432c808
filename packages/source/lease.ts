import type { Transport } from '../controller/cluster/call.ts';
import { type LeaseName, leaseRef, microTime, patchLease } from '../controller/cluster/lease.ts';
import { readObject } from '../controller/cluster/read.ts';
import type { KubeObject } from '../controller/domain/kube-object.ts';

/** The parts of a Lease that an election uses. */
export interface LeaseState {
  /** A new one after each write. */
  readonly version: string;
  /** The process that holds it; empty: no process does. */
  readonly holder: string;
}

/** A Lease for an election. Each call rejects with a KnudgeError. */
export interface Lease {
  /** Undefined if it does not exist. */
  read(): Promise<LeaseState | undefined>;
  /** Makes it, held by this process; rejects with `conflict` if another process was faster. */
  make(holder: string): Promise<LeaseState>;
  /** Writes the holder over the state that was read; rejects with `conflict` if that has changed. Empty: no process holds it. */
  write(state: LeaseState, holder: string): Promise<LeaseState>;
}

/** A Lease of the API server. The times in it are for people: no clock is compared with them. */
export function leaseBy(
  transport: Transport,
  name: LeaseName,
  { durationSeconds, now }: { readonly durationSeconds: number; readonly now: () => Date },
): Lease {
  const write = async (version: string | undefined, holder: string): Promise<LeaseState> => {
    const renewTime = microTime(now().toISOString());
    const spec = { holderIdentity: holder, leaseDurationSeconds: durationSeconds, renewTime };
    return stateOf(await patchLease(transport, name, { version, spec }));
  };
  return {
    read: async () => {
      const found = await readObject(transport, leaseRef(name));
      return found && stateOf(found);
    },
    make: (holder) => write(undefined, holder),
    write: ({ version }, holder) => write(version, holder),
  };
}

function stateOf({
  metadata,
  spec,
}: KubeObject & { readonly spec?: { readonly holderIdentity?: string } }): LeaseState {
  return { version: metadata.resourceVersion ?? '', holder: spec?.holderIdentity ?? '' };
}
