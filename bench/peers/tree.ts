import { readdirSync, readFileSync } from 'node:fs';

/** What a process tree has used so far, and what it holds. */
export interface Usage {
  /** Milliseconds of all CPUs, children that have ended included. */
  readonly cpuMs: number;
  /** Megabytes of resident memory; what processes share counts once for each. */
  readonly rssMb: number;
  /** How often a thread has begun to wait, which it does once for each time that it was woken. */
  readonly waits: number;
}

/** A figure of the controller itself, and of the platform below it that all controllers share. */
export interface Split<Value = number> {
  readonly own: Value;
  readonly platform: Value;
}

export interface Stat {
  readonly pid: number;
  readonly parent: number;
  /** Ticks of it and of its children that have ended. */
  readonly ticks: { readonly own: number; readonly ended: number };
}

const nothing: Usage = { cpuMs: 0, rssMb: 0, waits: 0 };

/** proc(5): USER_HZ, which Linux shows as 100 to all programs. */
const msPerTick = 10;

/** Parses /proc/<pid>/stat; the name of the program stands in parentheses and may contain some itself. */
export function parseStat(line: string): Stat {
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
    (at) => fields[at] ?? 0,
  );
  return { pid: Number.parseInt(line, 10), parent, ticks: { own: user + system, ended: endedUser + endedSystem } };
}

/** The process with all its descendants, itself first. */
export function treeOf(root: number, all: readonly Stat[]): readonly Stat[] {
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

/**
 * For the whole tree of a process. Ended children of a platform process count for the controller;
 * `isPlatform` knows such a process by its command line, its arguments separated by spaces.
 */
export function usageOf(root: number, isPlatform: (command: string) => boolean): Split<Usage> {
  const tree = treeOf(root, allStats());
  if (tree.length === 0) throw new Error(`process ${String(root)} has ended`);
  return tree.reduce<Split<Usage>>(
    ({ own, platform }, { pid, ticks }) => {
      const held = { cpuMs: ticks.own * msPerTick, ...heldBy(pid) };
      const ended = added(own, { ...nothing, cpuMs: ticks.ended * msPerTick });
      const command = textOf(`/proc/${String(pid)}/cmdline`).replaceAll('\0', ' ');
      return isPlatform(command)
        ? { own: ended, platform: added(platform, held) }
        : { own: added(ended, held), platform };
    },
    { own: nothing, platform: nothing },
  );
}

function added(one: Usage, other: Usage): Usage {
  return { cpuMs: one.cpuMs + other.cpuMs, rssMb: one.rssMb + other.rssMb, waits: one.waits + other.waits };
}

function allStats(): readonly Stat[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    const line = textOf(`/proc/${pid}/stat`);
    return line === '' ? [] : [parseStat(line)];
  });
}

function heldBy(pid: number): Omit<Usage, 'cpuMs'> {
  const [, kilobytes = 0] = /^VmRSS:\s+(\d+) kB$/m.exec(textOf(`/proc/${String(pid)}/status`)) ?? [];
  return { rssMb: Number(kilobytes) / 1024, waits: waitsOf(pid) };
}

function waitsOf(pid: number): number {
  const folder = `/proc/${String(pid)}/task`;
  try {
    const counts = readdirSync(folder).map((thread) => {
      const [, count = 0] = /^voluntary_ctxt_switches:\s+(\d+)$/m.exec(textOf(`${folder}/${thread}/status`)) ?? [];
      return Number(count);
    });
    return counts.reduce((sum, count) => sum + count, 0);
  } catch {
    return 0;
  }
}

/** Empty if the process has ended meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
