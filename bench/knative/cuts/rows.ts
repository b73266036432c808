import type { Row } from '../../report.ts';
import { median, pairedRatio } from '../../statistics.ts';
import { quantile } from '../requests.ts';
import { type Cut, cuts, usual } from './cuts.ts';
import type { Round } from './measure.ts';
import type { Turn } from './turn.ts';

/** The times of one turn, by the action. */
const times: Readonly<Record<string, (turn: Turn) => readonly number[]>> = {
  'cold, apply to Running': ({ service }) => [service.ms],
  'warm, apply to Running': ({ warmServices }) => warmServices,
  'cold, a Pod deleted to its return': ({ pod }) => [pod.ms],
  'warm, a Pod deleted to its return': ({ warmPods }) => warmPods,
};

/** A row for each timed action and each cut, then the figures of each cut. */
export function rowsOf(rounds: readonly Round[]): readonly Row[] {
  const timed = Object.entries(times).flatMap(([what, of]) =>
    cuts.map((cut): Row => {
      const values = turnsOf(rounds, cut).flatMap(of);
      return {
        name: `cuts: ${what}: ${cut.name}`,
        figures: {
          'min ms': Math.min(...values),
          'p50 ms': median(values),
          'p99 ms': quantile(values, 0.99),
          '× usual': ratioOf(rounds, cut, of),
          n: values.length,
        },
      };
    }),
  );
  return [...timed, ...cuts.map((cut) => needsOf(rounds, cut))];
}

const turnsOf = (rounds: readonly Round[], cut: Cut): readonly Turn[] =>
  rounds.flatMap((round) => round.get(cut) ?? []);

/** The ratio to the usual cut in the same round, if both have their turn; of several values in one turn the median. */
function ratioOf(rounds: readonly Round[], cut: Cut, of: (turn: Turn) => readonly number[]): number {
  const pairs = rounds.flatMap((round) => {
    const [own, beside] = [round.get(cut), round.get(usual)];
    return own === undefined || beside === undefined ? [] : [[median(of(own)), median(of(beside))] as const];
  });
  return pairedRatio(
    pairs.map(([own]) => own),
    pairs.map(([, beside]) => beside),
  );
}

function needsOf(rounds: readonly Round[], cut: Cut): Row {
  const turns = turnsOf(rounds, cut);
  const middle = (of: (turn: Turn) => number): number => median(turns.map(of));
  const sum = (of: (turn: Turn) => number): number => turns.reduce((all, turn) => all + of(turn), 0);
  const cold = ({ service, pod }: Turn) => [service, pod];
  return {
    name: `cuts: needs: ${cut.name}`,
    figures: {
      'Pods, service': middle(({ service }) => service.started.length),
      'Pods, Pod': middle(({ pod }) => pod.started.length),
      'MB, service': middle(({ service }) => service.MB),
      'MB, Pod': middle(({ pod }) => pod.MB),
      'MB × usual': ratioOf(rounds, cut, ({ service }) => [service.MB]),
      'reads, service': middle(({ service }) => service.counts.reads),
      'writes, service': middle(({ service }) => service.counts.writes),
      'reads, Pod': middle(({ pod }) => pod.counts.reads),
      'writes, Pod': middle(({ pod }) => pod.counts.writes),
      'reads, warm': middle(({ warmCounts }) => warmCounts.reads),
      'writes, warm': middle(({ warmCounts }) => warmCounts.writes),
      '409s, cold': sum((turn) => cold(turn).reduce((all, { counts }) => all + counts.conflicts, 0)),
      '409s, warm': sum(({ warmCounts }) => warmCounts.conflicts),
      'ticks of a resync': sum((turn) => cold(turn).filter(({ others }) => others.includes('resync-due')).length),
    },
  };
}
