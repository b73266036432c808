import type { Hunted } from './hunt-one.ts';

/** One mutant on one line. */
export function lineOf({ id, caught, runs, seconds, where }: Hunted): string {
  const after = `after ${runs} ${runs === 1 ? 'run' : 'runs'}, ${seconds.toFixed(1)} s`;
  if (caught === undefined) return `${id}  SURVIVED ${after}`;
  return `${id}  caught by ${caught} ${after} (${where})`;
}

/** All of them, by oracle, and the closing line. */
export function tableOf(hunted: readonly Hunted[], seconds: number): string {
  const width = Math.max(...hunted.map(({ id }) => id.length));
  const rows = hunted.map(
    ({ id, caught = 'SURVIVED', where, what }) =>
      `${id.padEnd(width)}  ${caught.padEnd(8)}  ${where}: ${what.slice(0, 120)}`,
  );
  return ['', ...rows, '', closingLine(hunted, seconds)].join('\n');
}

/** `mutants: 98 of 98 caught (O1 40, …), 0 by time-out, in 250 s`. */
export function closingLine(hunted: readonly Hunted[], seconds: number): string {
  const caught = hunted.filter((one) => one.caught !== undefined);
  const counts = new Map<string, number>();
  for (const { caught: by = '' } of caught) counts.set(by, (counts.get(by) ?? 0) + 1);
  const timedOut = counts.get('time-out') ?? 0;
  counts.delete('time-out');
  const byOracle = [...counts]
    .sort(([a], [b]) => Number(a.slice(1)) - Number(b.slice(1)))
    .map(([oracle, count]) => `${oracle} ${count}`)
    .join(', ');
  const survivors = hunted.filter((one) => one.caught === undefined).map(({ id }) => id);
  const rest = survivors.length === 0 ? '' : `; SURVIVED: ${survivors.join(', ')}`;
  const sum = `mutants: ${caught.length} of ${hunted.length} caught (${byOracle}), ${timedOut} by time-out`;
  const alarms = hunted.flatMap(({ falseAlarms }) => falseAlarms).length;
  const noise =
    alarms === 0 ? '' : `; ${alarms} false ${alarms === 1 ? 'alarm' : 'alarms'} on the product without a fault`;
  return `${sum}, in ${seconds.toFixed(0)} s${rest}${noise}`;
}
