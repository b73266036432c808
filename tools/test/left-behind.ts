import { globSync, readdirSync, readFileSync } from 'node:fs';
import { hasCgroups } from '../control-plane/node/cgroups.ts';
import { place, privateFolders } from '../control-plane/node/place.ts';
import { readRecord } from '../control-plane/node/record.ts';
import { readSysctls } from '../control-plane/node/sysctls.ts';
import { output } from '../debian/commands.ts';

/** Traces that a node may leave on this machine, each as a phrase for people. */
export type Traces = ReadonlySet<string>;

/** Mounts, links, routes, network namespaces, cgroups, kernel settings and processes; if others may make such too, only the node's. */
export function tracesOf(dir: string): Traces {
  const ip = (...args: readonly string[]) =>
    output('ip', '-oneline', ...args)
      .split('\n')
      .filter((line) => line !== '');
  return new Set([
    ...mountsIn(readFileSync('/proc/self/mountinfo', 'utf8'), [dir, place.netns, ...privateFolders]),
    ...ip('link').map((line) => `link ${line.split(': ')[1] ?? line}`),
    ...ip('route').map((line) => `route ${line.trim()}`),
    ...namespaces().map((name) => `network namespace ${name}`),
    ...(hasCgroups() ? [`cgroup ${place.name}`] : []),
    ...(readRecord() === undefined ? [] : ['record of the node']),
    ...Object.entries(readSysctls()).map(([name, value]) => `setting ${name} = ${value}`),
    ...processesThatName(dir),
  ]);
}

/** The traces that are there now and were not before, sorted. */
export function leftBehind(before: Traces, now: Traces): readonly string[] {
  return [...now].filter((one) => !before.has(one)).sort();
}

/** The mounts at these folders or below. */
export function mountsIn(mountinfo: string, folders: readonly string[]): readonly string[] {
  return mountinfo.split('\n').flatMap((line) => {
    const path = line.split(' ')[4] ?? '';
    return folders.some((folder) => path === folder || path.startsWith(`${folder}/`)) ? [`mount ${path}`] : [];
  });
}

function namespaces(): readonly string[] {
  try {
    return readdirSync('/run/netns');
  } catch {
    // None was ever made.
    return [];
  }
}

/** Processes whose arguments name the folder, without the program that searches. */
function processesThatName(dir: string): readonly string[] {
  return globSync('/proc/[0-9]*/cmdline').flatMap((path) => {
    const pid = path.split('/')[2] ?? '';
    try {
      const words = readFileSync(path, 'utf8').split('\0');
      return Number(pid) !== process.pid && words.some((word) => word.includes(dir))
        ? [`process ${pid} ${words.join(' ').trim()}`]
        : [];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}
