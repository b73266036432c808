import type { Row } from '../../report.ts';
import { median, pairedRatio } from '../../statistics.ts';
import { quantile } from '../requests.ts';
import { type Contestant, contestants, ours, usual } from './contestants.ts';
import type { Losses } from './losses.ts';
import type { Round } from './measure.ts';
import { slowMs } from './sink.ts';
import type { Turn } from './turn.ts';

/** The share of the ApiServerSource's time that a burst may take with Knudge's source. */
const mostOfUsual = 0.33;

/** A row for each measurement and each contestant. */
export function rowsOf(rounds: readonly Round[]): readonly Row[] {
  const [first] = rounds[0]?.values() ?? [];
  const bursts = first?.speed.bursts.map(({ count }) => count) ?? [];
  const rows: readonly ((contestant: Contestant) => readonly Row[])[] = [
    (contestant) => [latencyOf(rounds, contestant)],
    ...bursts.map((count) => (contestant: Contestant) => [burstOf(rounds, contestant, count)]),
    (contestant) => [catchUpOf(rounds, contestant)],
    (contestant) => slowOf(rounds, contestant),
    (contestant) =>
      turnsOf(rounds, contestant).flatMap(({ losses }) => (losses ? [lossesRow(contestant, losses)] : [])),
    (contestant) => [memoryOf(rounds, contestant)],
    (contestant) => [returnsOf(rounds, contestant)],
  ];
  return rows.flatMap((of) => contestants.flatMap(of));
}

const turnsOf = (rounds: readonly Round[], contestant: Contestant): readonly Turn[] =>
  rounds.flatMap((round) => round.get(contestant) ?? []);

/** The ratio to the ApiServerSource in the same round, if both have their turn. */
function ratioOf(rounds: readonly Round[], contestant: Contestant, of: (turn: Turn) => number): number {
  const pairs = rounds.flatMap((round) => {
    const [own, beside] = [round.get(contestant), round.get(usual)];
    return own === undefined || beside === undefined ? [] : [[of(own), of(beside)] as const];
  });
  return pairedRatio(
    pairs.map(([own]) => own),
    pairs.map(([, beside]) => beside),
  );
}

function latencyOf(rounds: readonly Round[], contestant: Contestant): Row {
  const turns = turnsOf(rounds, contestant);
  const told = turns.flatMap(({ speed }) => speed.told);
  return {
    name: `sources: a Message until it is reported: ${contestant.name}`,
    figures: {
      'p50 ms': median(told),
      'p99 ms': quantile(told, 0.99),
      'p50 ms, made': median(turns.flatMap(({ speed }) => speed.made)),
      '× usual': ratioOf(rounds, contestant, ({ speed }) => median(speed.told)),
      n: told.length,
    },
  };
}

function burstOf(rounds: readonly Round[], contestant: Contestant, count: number): Row {
  const of = ({ speed }: Turn) => speed.bursts.find((burst) => burst.count === count);
  const turns = turnsOf(rounds, contestant).flatMap((turn) => of(turn) ?? []);
  const ratio = ratioOf(rounds, contestant, (turn) => of(turn)?.toldSeconds ?? Number.NaN);
  return {
    name: `sources: ${String(count)} Messages at once until all are reported: ${contestant.name}`,
    figures: {
      s: median(turns.map(({ toldSeconds }) => toldSeconds)),
      's, made': median(turns.map(({ madeSeconds }) => madeSeconds)),
      's, behind': median(turns.map(({ madeSeconds, toldSeconds }) => toldSeconds - madeSeconds)),
      's, deleted': median(turns.map(({ removalToldSeconds }) => removalToldSeconds)),
      's, deletions behind': median(
        turns.map(({ removalToldSeconds, removedSeconds }) => removalToldSeconds - removedSeconds),
      ),
      '× usual': ratio,
      n: turns.length,
    },
    ...(contestant === ours && { goal: { value: ratio, most: mostOfUsual, tolerance: 0 } }),
  };
}

function catchUpOf(rounds: readonly Round[], contestant: Contestant): Row {
  const all = turnsOf(rounds, contestant).map(({ speed }) => speed.catchUp);
  const ratio = ratioOf(rounds, contestant, ({ speed }) => speed.catchUp.seconds);
  return {
    name: `sources: ${String(all[0]?.count)} Messages made while it stood still, until all are reported: ${contestant.name}`,
    figures: { s: median(all.map(({ seconds }) => seconds)), '× usual': ratio, n: all.length },
  };
}

function slowOf(rounds: readonly Round[], contestant: Contestant): readonly Row[] {
  const ratio = ratioOf(rounds.slice(0, 1), contestant, ({ slow }) => slow?.toldSeconds ?? Number.NaN);
  return turnsOf(rounds, contestant).flatMap(({ slow }) => {
    if (slow === undefined) return [];
    const { count, toldSeconds, madeSeconds } = slow;
    const name = `sources: ${String(count)} at once, no Broker, a sink that answers after ${String(slowMs)} ms`;
    const figures = { s: toldSeconds, 's, made': madeSeconds, 's, behind': toldSeconds - madeSeconds };
    return [{ name: `${name}: ${contestant.name}`, figures: { ...figures, '× usual': ratio, n: 1 } }];
  });
}

function lossesRow(contestant: Contestant, losses: Losses): Row {
  const { lost, lostEnds, unseen, events, doubled, repeated, changes, objects, seconds } = losses;
  return {
    name: `sources: killed and amid new namespaces: ${contestant.name}`,
    figures: { changes, objects, lost, 'lost deletions': lostEnds, unseen, events, doubled, repeated, s: seconds },
    ...(contestant === ours && { goal: { value: lost, most: 0, tolerance: 0 } }),
  };
}

function memoryOf(rounds: readonly Round[], contestant: Contestant): Row {
  const turns = turnsOf(rounds, contestant);
  return {
    name: `sources: memory of its process: ${contestant.name}`,
    figures: {
      'MB idle': median(turns.map(({ speed }) => speed.idleMB)),
      'MB after': median(turns.map(({ speed }) => speed.afterMB)),
      '× usual': ratioOf(rounds, contestant, ({ speed }) => speed.idleMB),
    },
  };
}

function returnsOf(rounds: readonly Round[], contestant: Contestant): Row {
  const returns = turnsOf(rounds, contestant).flatMap((turn) => turn.returns);
  return {
    name: `sources: its Pod deleted until it reports again: ${contestant.name}`,
    figures: { s: median(returns), 's, most': Math.max(...returns), n: returns.length },
  };
}
