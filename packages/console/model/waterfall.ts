import { functionOf } from './letters.ts';
import { kindOf } from './outcomes.ts';
import type { DeadLetter, Delivery, RecordedEvent } from './types.ts';

/** A bar of the waterfall, in milliseconds since the event happened; of an event that was sent again, since its first new try. */
export interface Bar {
  readonly label: string;
  readonly part: 'wait' | 'cold' | 'work' | 'failed' | 'letter';
  readonly from: number;
  readonly ms: number;
  readonly note: string;
}

export interface Lane {
  readonly title: string;
  readonly bars: readonly Bar[];
}

/** What is drawn of a dead letter: the log knows when it came first and last, and no times between them. */
export type Letter = Pick<DeadLetter, 'destination' | 'first' | 'last'>;

/** What became of an event: the tries of functions, and the dead letters of those that did not take it. */
export interface Became {
  readonly tries: readonly Delivery[];
  readonly letters: readonly Letter[];
}

/** The lanes of one event: how it came into the log, then one for each function with its tries and its dead letter, and one more for each time that it was sent again. */
export function waterfallOf(
  event: Pick<RecordedEvent, 'time' | 'recorded'>,
  { tries, letters }: Became,
): readonly Lane[] {
  const began = Date.parse(event.time);
  const kept = Math.max(0, Date.parse(event.recorded) - began);
  const recorded: Lane = {
    title: 'event log',
    bars: [{ label: 'on its way into the log', part: 'wait', from: 0, ms: kept, note: 'until it was on the disk' }],
  };
  const names = new Set([...tries.map((one) => one.function), ...letters.map(functionOf)]);
  const lanes = [...names].flatMap((name) => {
    const rounds = roundsOf(tries.filter((one) => one.function === name));
    const gaveUp = givenUp(letters.filter((letter) => functionOf(letter) === name));
    return (rounds.length > 0 ? rounds : [[]]).map((round, index) => {
      const beginning = index === 0 ? { title: name, began } : againOf(name, round);
      const next = startedAt(rounds[index + 1]?.[0]);
      const own = gaveUp.filter((at) => (index === 0 || at >= startedAt(round[0])) && at < next);
      return laneOf(round, own, beginning);
    });
  });
  return [recorded, ...lanes.toSorted((one, other) => startOf(one) - startOf(other))];
}

/** The traces of some tries, each with the functions that it went through. */
export function tracesOf(
  tries: readonly Delivery[],
): readonly { readonly id: string; readonly functions: readonly string[] }[] {
  const traced = tries.filter(({ traceId = '' }) => traceId !== '');
  return [...Map.groupBy(traced, ({ traceId = '' }) => traceId)].map(([id, of]) => ({
    id,
    functions: [...new Set(of.map((one) => one.function))],
  }));
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
  return { title: `↻ ${name}`, began: startedAt(first) };
}

/** When a try began, with the start of its function; never, where there is no try. */
function startedAt(one: Delivery | undefined): number {
  return one === undefined ? Number.POSITIVE_INFINITY : Date.parse(one.at) - (one.coldMs ?? 0);
}

/** The moments at which the event is known to have become a dead letter, in their order. */
function givenUp(letters: readonly Letter[]): readonly number[] {
  const times = letters.flatMap(({ first, last }) => [Date.parse(first), Date.parse(last)]);
  return [...new Set(times)].toSorted((one, other) => one - other);
}

function laneOf(tries: readonly Delivery[], gaveUp: readonly number[], { title, began }: Beginning): Lane {
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
  const last = gaveUp.map((at): Bar => {
    const from = until;
    until = Math.max(from, at - began);
    return { label: 'dead letter', part: 'letter', from, ms: until - from, note: 'until the log had it' };
  });
  return { title, bars: [...bars, ...last] };
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
