import { median } from '../statistics.ts';
import { type Goal, goalsOf } from './goals.ts';
import type { Contender, Figures, Measured } from './measured.ts';
import type { Split } from './tree.ts';

type Cells = readonly (readonly string[])[];

/** A table of Markdown. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: Cells;
}

/** One row for each contestant. If there is a platform, its part stands behind a plus. */
export function tableOf({ contenders, missing, messages }: Measured): Table {
  const count = messages.toLocaleString('en');
  return {
    head: [
      '',
      'to the Pod, p50 ms (× a ConfigMap)',
      'p99 ms',
      `${count} at once, s: Pods, Processed`,
      'CPU ms a Message',
      'API calls a Message',
      'MB idle',
      `MB with ${count} Messages`,
      'wake-ups an unrelated Pod',
      'restart to first answer, s',
    ],
    rows: [
      ...contenders.map(rowOf),
      ...missing.map(({ label, why }) => [label, `left out: ${why}`, ...Array.from({ length: 8 }, () => '')]),
    ],
  };
}

function rowOf({ label, turns, failure }: Contender): readonly string[] {
  if (turns.length === 0) return [label, `failed: ${failure ?? 'no turn'}`, ...Array.from({ length: 8 }, () => '')];
  const of = (pick: (turn: Figures) => number): number => median(turns.map(pick));
  const both = (pick: (turn: Figures) => Split, digits: number): string =>
    plus({ own: of((turn) => pick(turn).own), platform: of((turn) => pick(turn).platform) }, digits);
  return [
    failure === undefined ? label : `${label} (failed in part: ${failure})`,
    `${of(({ p50 }) => p50).toFixed(1)} (${of(({ p50, bare }) => p50 / bare).toFixed(1)} ×)`,
    of(({ p99 }) => p99).toFixed(0),
    `${seconds(of(({ burstPods }) => burstPods))}, ${seconds(of(({ burstProcessed }) => burstProcessed))}`,
    both(({ cpuMs }) => cpuMs, 1),
    of(({ calls }) => sum(Object.values(calls))).toFixed(1),
    both(({ idleMb }) => idleMb, 0),
    both(({ fullMb }) => fullMb, 0),
    both(({ waits }) => waits, 2),
    seconds(of(({ toFirstAnswer }) => toFirstAnswer)),
  ];
}

/** The calls, in the words of the API server's own log. */
export function callsTable({ contenders }: Measured): Table {
  const rows = contenders.flatMap(({ label, turns }) => {
    const calls = turns.at(-1)?.calls;
    if (calls === undefined) return [];
    const named = Object.entries(calls).filter(([, count]) => count >= 0.05);
    const told = named
      .toSorted(([, one], [, other]) => other - one)
      .map(([name, count]) => `${count.toFixed(1)} ${name}`);
    return [[label, told.join(', ')]];
  });
  return { head: ['', 'calls for each Message of the burst'], rows };
}

export function curveTable({ contenders }: Measured): Table {
  const points = contenders.find(({ curve }) => curve.length > 0)?.curve ?? [];
  return {
    head: ['MB with this many unrelated Pods', ...points.map(({ pods }) => pods.toLocaleString('en'))],
    rows: contenders.map(({ label, curve }) => [
      label,
      ...points.map(({ pods }) => {
        const point = curve.find((one) => one.pods === pods);
        return point === undefined ? '' : plus(point.mb, 0);
      }),
    ]),
  };
}

export function goalsTable(measured: Measured): Table {
  const rowFor = ({ what, value, most, unit, isMet }: Goal): readonly string[] => [
    what,
    `${value.toFixed(2)} ${unit}`,
    `≤ ${String(most)}`,
    isMet ? 'met' : 'missed',
  ];
  return { head: ['goal', 'Knudge', 'at most', ''], rows: goalsOf(measured).map(rowFor) };
}

export function markdownOf({ head, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function plus({ own, platform }: Split, digits: number): string {
  return platform === 0 ? fixed(own, digits) : `${fixed(own, digits)} + ${fixed(platform, digits)}`;
}

/** A value below zero, which noise gives, is shown as zero. */
function fixed(value: number, digits: number): string {
  return Math.max(0, value).toFixed(digits);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
