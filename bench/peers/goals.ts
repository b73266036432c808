import { median, pairedRatio } from '../statistics.ts';
import type { ContestantName } from './contestants.ts';
import { type Contender, type Figures, type Measured, whole } from './measured.ts';

export interface Goal {
  readonly what: string;
  /** Knudge's figure, in the unit of the goal. */
  readonly value: number;
  readonly most: number;
  readonly unit: string;
  readonly isMet: boolean;
}

/** What a goal of "none" still counts as noise, for each unrelated Pod. */
const noise = 0.05;
/** The growth of a memory that counts as flat. */
const flat = 1.1;

/** The goals about which the measurement says anything. */
export function goalsOf({ contenders }: Measured): readonly Goal[] {
  const of = (name: string): Contender | undefined =>
    contenders.find((one) => one.name === name && one.turns.length > 0);
  const knudge = of('knudge');
  if (knudge === undefined) return [];
  const beside = comparisons.flatMap(({ what, peer: name, most, pick }) => {
    const peer = of(name);
    if (peer === undefined) return [];
    const value = pairedRatio(knudge.turns.map(pick), peer.turns.map(pick));
    return [judged({ what, value, most, unit: `× ${peer.label}` })];
  });
  const value = median(knudge.turns.map(({ waits }) => whole(waits)));
  return [
    ...beside,
    ...growthOf(knudge),
    judged({ what: 'wake-ups by an unrelated Pod', value, most: noise, unit: 'a Pod' }),
  ];
}

interface Comparison {
  readonly what: string;
  readonly peer: ContestantName;
  readonly most: number;
  readonly pick: (turn: Figures) => number;
}

const comparisons: readonly Comparison[] = [
  { what: 'from the apply of a Message to its Pod, p50', peer: 'kopf', most: 1, pick: ({ p50 }) => p50 },
  {
    what: 'a burst, until all are Processed',
    peer: 'go-tuned',
    most: 1.5,
    pick: ({ burstProcessed }) => burstProcessed,
  },
  { what: 'CPU for each Message', peer: 'kopf', most: 1, pick: ({ cpuMs }) => whole(cpuMs) },
];

function growthOf({ curve }: Contender): readonly Goal[] {
  const [first, last] = [curve[0], curve.at(-1)];
  if (first === undefined || last === undefined || first === last) return [];
  const what = `memory with ${last.pods.toLocaleString('en')} unrelated Pods`;
  return [judged({ what, value: whole(last.mb) / whole(first.mb), most: flat, unit: '× without' })];
}

function judged(goal: Omit<Goal, 'isMet'>): Goal {
  return { ...goal, isMet: goal.value <= goal.most };
}
