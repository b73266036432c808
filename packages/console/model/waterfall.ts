import { kindOf } from './outcomes.ts';
import type { Delivery, RecordedEvent } from './types.ts';

/** A bar of the waterfall, in milliseconds since the event happened; of an event that was sent again, since its first new try. */
export interface Bar {
  readonly label: string;
  readonly part: 'wait' | 'cold' | 'work' | 'failed';
  readonly from: number;
  readonly ms: number;
  readonly note: string;
}

export interface Lane {
  readonly title: string;
  readonly bars: readonly Bar[];
}

/** The lanes of one event: how it came into the log, then one for each function with all its tries, and one more for each time that it was sent again. */
export function waterfallOf(
  event: Pick<RecordedEvent, 'time' | 'recorded'>,
  deliveries: readonly Delivery[],
): readonly Lane[] {
  const began = Date.parse(event.time);
  const kept = Math.max(0, Date.parse(event.recorded) - began);
  const recorded: Lane = {
    title: 'event log',
    bars: [{ label: 'on its way into the log', part: 'wait', from: 0, ms: kept, note: 'until it was on the disk' }],
  };
  const lanes = [...Map.groupBy(deliveries, (one) => one.function)].flatMap(([name, tries]) =>
    roundsOf(tries).map((round, index) => laneOf(round, index === 0 ? { title: name, began } : againOf(name, round))),
  );
  return [recorded, ...lanes.toSorted((one, other) => startOf(one) - startOf(other))];
}

/** The end of the last bar. */
export function endOf(lanes: readonly Lane[]): number {
  return Math.max(1, ...lanes.flatMap(({ bars }) => bars.map(({ from, ms }) => from + ms)));
}

/** Tries in their order, apart where they begin anew: the event was sent again. */
function roundsOf(tries: readonly Delivery[]): readonly (readonly Delivery[])[] {
  const rounds: Delivery[][] = [];
  for (const one of tries.toSorted((left, right) => left.seq - right.seq)) {
    const round = rounds.at(-1);
    const last = round?.at(-1);
    if (round === undefined || last === undefined || one.attempt <= last.attempt) rounds.push([one]);
    else round.push(one);
  }
  return rounds;
}

interface Beginning {
  readonly title: string;
  readonly began: number;
}

function againOf(name: string, [first]: readonly Delivery[]): Beginning {
  return { title: `↻ ${name}`, began: Date.parse(first?.at ?? '') - (first?.coldMs ?? 0) };
}

function laneOf(tries: readonly Delivery[], { title, began }: Beginning): Lane {
  let until = 0;
  const bars = tries.flatMap((one) => {
    const at = Math.max(until, Date.parse(one.at) - began);
    const cold = Math.min(one.coldMs ?? 0, at - until);
    const waited = at - cold - until;
    const isFailed = kindOf(one) === 'failed';
    const made: Bar[] = [
      {
        label: one.attempt > 1 ? `waits before try ${one.attempt}` : 'waits at the Broker',
        part: 'wait',
        from: until,
        ms: waited,
        note: '',
      },
      { label: `${one.function} starts`, part: 'cold', from: at - cold, ms: cold, note: 'cold start' },
      {
        label: isFailed ? `try ${one.attempt} fails: ${one.status}` : one.outcome,
        part: isFailed ? 'failed' : 'work',
        from: at,
        ms: one.ms,
        note: `${one.reads} read, ${one.writes} written, status ${one.status}`,
      },
    ];
    until = at + one.ms;
    return made.filter(({ ms, part }) => ms >= 0.05 || part === 'work' || part === 'failed');
  });
  return { title, bars };
}

function startOf({ bars }: Lane): number {
  return bars[0]?.from ?? 0;
}

/** A duration as people read it: `0.4 ms`, `18 ms`, `2.1 s`. */
export function durationOf(ms: number): string {
  if (ms < 10 && !Number.isInteger(ms)) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  return `${(ms / 3_600_000).toFixed(1)} h`;
}
