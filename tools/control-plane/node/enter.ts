import { readFileSync } from 'node:fs';
import { behind, fileOf, place, privateFolders } from './place.ts';

type CommandLine = readonly [string, ...string[]];

/** A command in the network of the node. `ip netns exec` would mount a /sys of its own, which has no cgroups. */
export function inNetwork(command: readonly string[]): CommandLine {
  return ['nsenter', `--net=${place.netns}`, ...command];
}

/** A command in the view of containerd: the node's network, and its own folders. */
export function inNode(dir: string, command: readonly string[]): CommandLine {
  const pid = readFileSync(fileOf(dir, 'containerd.pid'), 'utf8').trim();
  return ['nsenter', `--net=${place.netns}`, `--mount=/proc/${pid}/ns/mnt`, ...command];
}

/** containerd in the node's network and a mount namespace of its own, with the node's own folders. */
export function containerdCommand(dir: string): CommandLine {
  const mounts = [...privateFolders, '/run/netns'].map((path) => `mount --bind ${quote(behind(dir, path))} ${path}`);
  const script = [
    ...mounts,
    `echo $$ > ${quote(fileOf(dir, 'containerd.pid'))}`,
    `exec containerd --config ${quote(fileOf(dir, 'containerd.toml'))}`,
  ].join('\n');
  return inNetwork(['unshare', '--mount', '--propagation=private', 'sh', '-ec', script]);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
