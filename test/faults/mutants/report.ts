import type { Hunted } from './hunt-one.ts';

/** One mutant on one line. */
export function lineOf({ id, caught, hung, runs, seconds, where }: Hunted): string {
  const after = `after ${runs} ${runs === 1 ? 'run' : 'runs'}, ${seconds.toFixed(1)} s`;
  if (hung) return `${id}  HUNG ${after}`;
  if (caught === undefined) return `${id}  SURVIVED ${after}`;
  return `${id}  caught by ${caught} ${after} (${where})`;
}

/** All of them, by oracle, and the closing line. */
export function tableOf(hunted: readonly Hunted[], seconds: number): string {
  const width = Math.max(...hunted.map(({ id }) => id.length));
  const rows = hunted.map(
    ({ id, caught, hung, seconds: own, where, what }) =>
      `${id.padEnd(width)}  ${(caught ?? (hung ? 'HUNG' : 'SURVIVED')).padEnd(8)}  ${own.toFixed(1).padStart(5)} s  ${where}: ${what.slice(0, 120)}`,
  );
  return ['', ...rows, '', closingLine(hunted, seconds)].join('\n');
}

/** `mutants: 98 of 98 caught (O1 40, …), in 250 s`, and what is not as it should be. */
export function closingLine(hunted: readonly Hunted[], seconds: number): string {
  const caught = hunted.filter((one) => one.caught !== undefined);
  const counts = new Map<string, number>();
  for (const { caught: by = '' } of caught) counts.set(by, (counts.get(by) ?? 0) + 1);
  const byOracle = [...counts]
    .sort(([a], [b]) => rankOf(a) - rankOf(b))
    .map(([oracle, count]) => `${oracle} ${count}`)
    .join(', ');
  const named = (word: string, some: readonly Hunted[]): string =>
    some.length === 0 ? '' : `; ${word}: ${some.map(({ id }) => id).join(', ')}`;
  const survivors = hunted.filter((one) => one.caught === undefined && !one.hung);
  const hanging = hunted.filter(({ hung }) => hung);
  const rest = `${named('SURVIVED', survivors)}${named('HUNG', hanging)}`;
  const sum = `mutants: ${caught.length} of ${hunted.length} caught (${byOracle})`;
  const alarms = hunted.flatMap(({ falseAlarms }) => falseAlarms).length;
  const noise =
    alarms === 0 ? '' : `; ${alarms} false ${alarms === 1 ? 'alarm' : 'alarms'} on the product without a fault`;
  return `${sum}, in ${seconds.toFixed(0)} s${rest}${noise}`;
}

/** Oracles by their numbers, and what is not an oracle after them. */
function rankOf(caught: string): number {
  return /^O\d+$/.test(caught) ? Number(caught.slice(1)) : Infinity;
}
