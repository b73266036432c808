import { KnudgeError } from '../domain/errors.ts';
import { patches, type Transport } from '../kube/call.ts';

/** What a Lease says, as far as an election goes by it. */
export interface LeaseState {
  /** Another one after each write. */
  readonly version: string;
  /** Who holds it; empty: nobody does. */
  readonly holder: string;
}

/** A Lease of `coordination.k8s.io/v1`, which a process holds or does not. Each call rejects with a KnudgeError. */
export interface Lease {
  /** Undefined: it is not there. */
  read(): Promise<LeaseState | undefined>;
  /** Makes it, held by this process; rejects with `already-exists` where another process was faster. */
  make(holder: string): Promise<LeaseState>;
  /** Writes who holds it, if it still is as it was read; rejects with `conflict` otherwise. Empty: nobody does. */
  write(state: LeaseState, holder: string): Promise<LeaseState>;
}

export interface LeaseOf {
  readonly namespace: string;
  readonly name: string;
  /** Seconds; for people who read the Lease, and other clients. */
  readonly durationSeconds: number;
  readonly now: () => Date;
}

/** The Lease of this name by the API server. */
export function leaseBy(transport: Transport, { namespace, name, durationSeconds, now }: LeaseOf): Lease {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
  const about = { resource: 'leases', target: `Lease ${namespace}/${name}` };
  const specOf = (holder: string): object => {
    // MicroTime: as RFC 3339, with six digits after the second.
    const at = now().toISOString().replace('Z', '000Z');
    return { holderIdentity: holder, leaseDurationSeconds: durationSeconds, renewTime: at };
  };
  return {
    read: async () => {
      try {
        return stateOf(await transport({ ...about, method: 'GET', verb: 'get', path: `${path}/${name}` }));
      } catch (error) {
        if (error instanceof KnudgeError && error.code === 'gone') return undefined;
        throw error;
      }
    },
    make: async (holder) => {
      const body = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name, namespace },
        spec: specOf(holder),
      };
      return stateOf(await transport({ ...about, method: 'POST', verb: 'create', path, body }));
    },
    write: async ({ version }, holder) => {
      // Of a merge patch with a resourceVersion the API server says 409 where the object has another one.
      const body = { metadata: { resourceVersion: version }, spec: specOf(holder) };
      const contentType = patches.merge;
      const call = { ...about, method: 'PATCH', verb: 'patch', path: `${path}/${name}`, body, contentType } as const;
      return stateOf(await transport(call));
    },
  };
}

interface LeaseObject {
  readonly metadata?: { readonly resourceVersion?: string };
  readonly spec?: { readonly holderIdentity?: string };
}

function stateOf(answer: unknown): LeaseState {
  const { metadata, spec } = answer as LeaseObject;
  return { version: metadata?.resourceVersion ?? '', holder: spec?.holderIdentity ?? '' };
}
