import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

/** A bridge of its own with 1,022 addresses: nothing outside this machine is reached, and no two tests meet. */
export interface Network {
  /** The machine itself: servers of the test listen here, and clients come from here. */
  readonly host: string;
  /** Where a backend can listen: 508 addresses, from 0, all of the machine itself. */
  backend(index: number): string;
  /** Makes another address the machine's own: that of a Service, for which nobody stands in here. */
  own(address: string): void;
  /** A network namespace for one Pod. */
  addPod(): PodNetwork;
  close(): void;
}

export interface PodNetwork {
  readonly address: string;
  /** The file by which a process enters it. */
  readonly file: string;
  close(): void;
}

/** 198.18.0.0/15 is for tests of network devices (RFC 2544); a /22 of it for each network. */
const mostNetworks = 64;

/** Needs root, for the bridge and the namespaces. Gone with the process; what a killed one has left is swept first. */
export function createNetwork(): Network {
  sweep();
  const number = takeNumber();
  const bridge = `kn${String(number)}`;
  const address = (low: number): string => `198.18.${String(number * 4 + (low >> 8))}.${String(low & 255)}`;
  const open = new Set<PodNetwork>();
  let pods = 0;
  ip('addr', 'add', `${address(1)}/22`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
  // Every address of the upper half is the machine's: a backend listens on any of them without asking.
  ip('route', 'add', 'local', `${address(512)}/23`, 'dev', bridge);
  const close = (): void => {
    process.off('exit', close);
    for (const pod of open) pod.close();
    tryIp('link', 'del', bridge);
  };
  process.once('exit', close);
  return {
    host: address(1),
    backend: (index) => address(514 + index),
    own: (other) => void ip('route', 'replace', 'local', `${other}/32`, 'dev', bridge),
    addPod: () => {
      pods += 1;
      const pod = addPod({ bridge, pods, host: address(1), address: address(256 + (pods % 254)) }, () =>
        open.delete(pod),
      );
      open.add(pod);
      return pod;
    },
    close,
  };
}

interface Place {
  readonly bridge: string;
  readonly pods: number;
  readonly host: string;
  readonly address: string;
}

function addPod({ bridge, pods, host, address }: Place, onClose: () => void): PodNetwork {
  const name = `${bridge}-${String(pods)}`;
  ip('netns', 'add', name);
  ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  ip('link', 'set', name, 'master', bridge, 'up');
  ip('-n', name, 'addr', 'add', `${address}/22`, 'dev', 'eth0');
  ip('-n', name, 'link', 'set', 'eth0', 'up');
  ip('-n', name, 'link', 'set', 'lo', 'up');
  ip('-n', name, 'route', 'add', 'default', 'via', host);
  return {
    address,
    file: `/run/netns/${name}`,
    close: () => {
      onClose();
      tryIp('link', 'del', name);
      tryIp('netns', 'del', name);
    },
  };
}

/** The bridge is the lock: it can be made only once. */
function takeNumber(): number {
  for (let number = 0; number < mostNetworks; number += 1) {
    // Without a hardware address of its own the bridge takes that of one of its Pods, and another when a Pod comes: for
    // seconds nobody would reach the machine.
    const hardware = `02:00:c6:12:00:${number.toString(16).padStart(2, '0')}`;
    if (tryIp('link', 'add', `kn${String(number)}`, 'address', hardware, 'type', 'bridge')) {
      ip('link', 'set', `kn${String(number)}`, 'alias', `knudge ${String(process.pid)}`);
      return number;
    }
  }
  throw new Error(`all ${String(mostNetworks)} networks are in use: look with "ip link show type bridge"`);
}

interface Link {
  readonly ifname: string;
  readonly ifalias?: string;
}

/** Takes away what belongs to processes that are gone. */
function sweep(): void {
  const links = JSON.parse(ip('-json', 'link', 'show', 'type', 'bridge') || '[]') as readonly Link[];
  for (const { ifname, ifalias } of links) {
    const [, pid] = /^knudge (\d+)$/.exec(ifalias ?? '') ?? [];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    for (const name of existsSync('/run/netns') ? readdirSync('/run/netns') : []) {
      if (name.startsWith(`${ifname}-`)) tryIp('netns', 'del', name);
    }
    tryIp('link', 'del', ifname);
  }
}

function ip(...args: readonly string[]): string {
  return execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function tryIp(...args: readonly string[]): boolean {
  try {
    ip(...args);
    return true;
  } catch {
    return false;
  }
}
