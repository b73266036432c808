import type { Storms } from './run-storms.ts';
import { total } from './tally.ts';

/** The closing line of storms, with all its figures. */
export function summary({ seeds, from, tally, failures, seconds }: Storms): string {
  const { events, troubles } = tally;
  const atCalls = Object.entries(troubles).filter(([id]) => /^[A-Z]\d/.test(id));
  const jumps = Object.entries(troubles).filter(([id]) => id.startsWith('jump'));
  const sum = (counted: readonly (readonly [string, number])[]): number => total(Object.fromEntries(counted));
  return [
    `storms: ${seeds} seeds from ${from}`,
    `${total(tally.operations)} operations of ${Object.keys(tally.operations).length} kinds (${tally.refused} more refused)`,
    `${tally.turns} turns`,
    `${sum(atCalls)} faults of ${atCalls.length} kinds at API calls`,
    `events: ${events.sent} sent, ${events.lost} lost, ${events.doubled} doubled, ${events.overtaken} overtaken, ${events.late} late, ${events.belated} after the end`,
    `${tally.kills} kills`,
    `${sum(jumps)} clock jumps`,
    `${tally.otherVersion} events to another version, ${events['as-v1']} of them in v1`,
    `${tally.calls} API calls`,
    `${(tally.simulatedMs / 3_600_000).toFixed(0)} simulated hours`,
    `${failures.length} seeds with findings`,
    `${seconds.toFixed(1)} s`,
  ].join('; ');
}
