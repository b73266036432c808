import { existsSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { output, succeeds } from '../../debian/commands.ts';
import { place } from './place.ts';

/** Makes a network namespace for the node, linked to this machine, which can reach the node's Pods and Services. */
export function makeNetwork(): void {
  const ip = (...args: readonly string[]) => output('ip', ...args);
  const { name, host, address } = place;
  ip('netns', 'add', name);
  ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  ip('addr', 'add', `${host}/30`, 'dev', name);
  ip('link', 'set', name, 'up');
  ip('-n', name, 'addr', 'add', `${address}/30`, 'dev', 'eth0');
  ip('-n', name, 'link', 'set', 'lo', 'up');
  ip('-n', name, 'link', 'set', 'eth0', 'up');
  ip('-n', name, 'route', 'add', 'default', 'via', host);
  for (const range of [place.pods, place.services]) ip('route', 'add', range, 'via', address);
}

/** Removes the namespace with everything in it, and this machine's end of the link. */
export function removeNetwork(): void {
  succeeds('ip', 'link', 'del', place.name);
  succeeds('ip', 'netns', 'del', place.name);
}

/** The processes in the node's own network namespace: container runtime, kubelet, kube-proxy, and what they start. */
export function processesInNetwork(): readonly number[] {
  if (!existsSync(place.netns)) return [];
  const wanted = `net:[${String(statSync(place.netns).ino)}]`;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => networkOf(pid) === wanted).map(Number);
}

function networkOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    // It ended in between.
    return '';
  }
}
