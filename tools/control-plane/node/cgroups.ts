import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { place } from './place.ts';

/** One hierarchy of cgroups. */
export type CgroupMount = { path: string; version: 1 | 2; controllers: readonly string[] };

const wanted = ['cpu', 'cpuset', 'memory', 'pids'];

/** The hierarchies in /proc/self/mountinfo; those of version 2 without their controllers, which are in a file there. */
export function cgroupMounts(mountinfo: string): readonly CgroupMount[] {
  return mountinfo.split('\n').flatMap((line): CgroupMount[] => {
    // Fields as proc_pid_mountinfo(5) numbers them: 5 is the mount point; after a lone "-" come type, source, options.
    const [before = '', after = ''] = line.split(' - ');
    const [, , , , path = ''] = before.split(' ');
    const [type, , options = ''] = after.split(' ');
    if (type === 'cgroup2') return [{ path, version: 2, controllers: [] }];
    return type === 'cgroup' ? [{ path, version: 1, controllers: options.split(',') }] : [];
  });
}

/** Why the kubelet could not limit its Pods here, in a sentence. */
export function whyNoCgroups(mounts: readonly CgroupMount[], controllersAt = controllersOf): string | undefined {
  const found = new Set(
    mounts.flatMap(({ path, version, controllers }) => (version === 1 ? controllers : controllersAt(path))),
  );
  const missing = wanted.filter((name) => !found.has(name));
  if (missing.length === 0) return undefined;
  return `A real node needs the cgroup controllers ${missing.join(', ')}, which are not mounted here: mount them under /sys/fs/cgroup.`;
}

function controllersOf(path: string): readonly string[] {
  const file = join(path, 'cgroup.controllers');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ') : [];
}

/** Makes the cgroup around those of all the node's Pods, in each hierarchy that has controllers. */
export function makeCgroups(): void {
  for (const folder of nodeCgroups()) mkdirSync(folder, { recursive: true });
}

/** The processes in the node's Pods. */
export function processesInCgroups(): readonly number[] {
  const folders = nodeCgroups().flatMap((folder) => [folder, ...below(folder)]);
  return [...new Set(folders.flatMap(processesIn))];
}

/** The processes in a container of the node, by its name in the container runtime. */
export function processesOf(container: string): readonly number[] {
  const folders = nodeCgroups().flatMap(below);
  return [...new Set(folders.filter((folder) => folder.endsWith(`/${container}`)).flatMap(processesIn))];
}

/** Removes the cgroups, which must have no processes any more. */
export function removeCgroups(): void {
  for (const folder of nodeCgroups().flatMap((folder) => [...below(folder).toReversed(), folder])) {
    if (existsSync(folder)) rmdirSync(folder);
  }
}

/** Whether one of them exists, in any hierarchy. */
export function hasCgroups(): boolean {
  return nodeCgroups().some((folder) => existsSync(folder));
}

function nodeCgroups(): readonly string[] {
  return cgroupMounts(readFileSync('/proc/self/mountinfo', 'utf8'))
    .filter(({ path, version }) => version === 1 || controllersOf(path).join() !== '')
    .map(({ path }) => join(path, place.name));
}

/** All folders inside, each before those in it. */
function below(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return inside.flatMap(({ name }) => [join(folder, name), ...below(join(folder, name))]);
}

function processesIn(folder: string): readonly number[] {
  try {
    return readFileSync(join(folder, 'cgroup.procs'), 'utf8').trim().split('\n').filter(Boolean).map(Number);
  } catch {
    // It was removed in between.
    return [];
  }
}
