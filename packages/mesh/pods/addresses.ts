import { once } from 'node:events';
import { createServer } from 'node:net';
import { KnudgeError } from '../../controller/domain/errors.ts';

/**
 * Addresses of Pods that run as processes. 198.18.0.0/15 is for tests of network devices (RFC 2544), so they hide no address of a real
 * network. The process listens at the same address of 127.0.0.0/8, which Linux gives every user: 198.18.0.5 is 127.18.0.5 here.
 */
const ofPods = /^198\.18\.(?=\d{1,3}\.\d{1,3}$)/;

/** Where on this machine an address of the cluster is; undefined for an address that is not a Pod's. */
export function podHere(address: string): string | undefined {
  return ofPods.test(address) ? address.replace(ofPods, '127.18.') : undefined;
}

/** Where on this machine a Service listens, by its cluster address: 10.96.1.2 is 127.96.1.2 here. */
export function serviceHere(clusterAddress: string): string {
  return clusterAddress.replace(/^10\./, '127.');
}

export interface PodAddresses {
  /** An address that no other Pod has; the wanted one, if it is one of ours and free. Undefined if none is free. */
  take(wanted?: string): string | undefined;
  free(address: string): void;
  /** Gives the block back. */
  close(): void;
}

const blocks = 256;
const addressesInBlock = 254;
/** A node that has a block listens there. */
const lockPort = 18_255;

/** Addresses of a block that no other node on this machine has. Throws `misuse` if all are taken. */
export async function claimPodAddresses(): Promise<PodAddresses> {
  for (let block = 0; block < blocks; block += 1) {
    const lock = createServer();
    try {
      lock.listen(lockPort, `127.18.${String(block)}.255`);
      await once(lock, 'listening');
      return { ...createPodAddresses(block), close: () => void lock.close() };
    } catch {
      // Another node has it.
    }
  }
  throw new KnudgeError('misuse', `${String(blocks)} nodes run on this machine already: end one of them`);
}

/** Gives each Pod an address, the next one each time: what still asks a Pod that is gone reaches nobody. */
export function createPodAddresses(block: number): Omit<PodAddresses, 'close'> {
  const taken = new Set<string>();
  const prefix = `198.18.${String(block)}.`;
  let last = 0;
  const next = (): string => {
    last = (last % addressesInBlock) + 1;
    return `${prefix}${String(last)}`;
  };
  return {
    take: (wanted) => {
      if (taken.size === addressesInBlock) return undefined;
      let address = wanted?.startsWith(prefix) ? wanted : next();
      while (taken.has(address)) address = next();
      taken.add(address);
      return address;
    },
    free: (address) => void taken.delete(address),
  };
}
