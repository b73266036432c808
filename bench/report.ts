import { Console } from 'node:console';
import { arch, cpus, loadavg, platform } from 'node:os';
import type { BenchArguments } from './arguments.ts';

/** One measurement. */
export interface Row {
  readonly name: string;
  readonly figures: Readonly<Record<string, number | string>>;
  readonly goal?: Goal;
}

interface Goal {
  /** The figure that counts; it must be at most this. */
  readonly value: number;
  readonly most: number;
  /** How much more still counts as noise: 0.1 is a tenth. */
  readonly tolerance: number;
}

/**
 * Prints the measurements with the goals beside them, as a table or as JSON. The exit code becomes 1 if a goal is missed
 * by more than its tolerance, except in a smoke run.
 */
export function report(title: string, rows: readonly Row[], { json, smoke, rounds }: BenchArguments): void {
  const missed = rows.filter(({ goal }) => goal !== undefined && isMissed(goal));
  const machine = {
    node: process.version,
    system: `${platform()} ${arch()}`,
    cpus: cpus().length,
    load: round(loadavg()[0] ?? 0),
  };
  if (json) {
    console.log(
      JSON.stringify({ title, rounds, machine, rows: rows.map((row) => ({ ...row, missed: missed.includes(row) })) }),
    );
  } else {
    const { node, system, load } = machine;
    console.log(
      `${title}\n${String(rounds)} rounds, Node ${node}, ${system}, ${String(machine.cpus)} CPUs, load ${String(load)}`,
    );
    printTable(rows, process.stdout);
    if (missed.length > 0)
      console.log(`Missed by more than is allowed for noise: ${missed.map(({ name }) => name).join('; ')}.`);
    if (smoke) console.log('A smoke run: the figures say nothing.');
  }
  if (missed.length > 0 && !smoke) process.exitCode = 1;
}

/** The rows as text for people. */
export function printTable(rows: readonly Row[], to: NodeJS.WritableStream): void {
  new Console(to).table(Object.fromEntries(rows.map((row) => [row.name, cellsOf(row)])));
}

function isMissed({ value, most, tolerance }: Goal): boolean {
  return !(value <= most * (1 + tolerance));
}

function cellsOf({ figures, goal }: Row): Record<string, number | string> {
  const cells = Object.entries(figures).map(([name, value]) => [
    name,
    typeof value === 'number' ? round(value) : value,
  ]);
  return { goal: goal === undefined ? '' : `≤ ${String(goal.most)}`, ...Object.fromEntries(cells) };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
