import { kindOf } from './outcomes.ts';
import type { Delivery, FunctionState } from './types.ts';

/** What the tries of one function come to. */
export interface Summary {
  readonly function: string;
  readonly done: number;
  readonly ignored: number;
  readonly failed: number;
  readonly cold: readonly number[];
  readonly warm: readonly number[];
  /** Milliseconds, of warm tries. */
  readonly p50: number;
  readonly p95: number;
  readonly lastColdMs?: number;
  /** How often each function that the process serves was called. */
  readonly calls: readonly (readonly [string, number])[];
  readonly statuses: readonly (readonly [number, number])[];
}

/** Sums deliveries, in whatever order, up by the process that serves their function, in the order of the names. */
export function summariesOf(deliveries: readonly Delivery[], served: ReadonlyMap<string, string>): readonly Summary[] {
  const groups = [...Map.groupBy(deliveries, (one) => served.get(one.function) ?? one.function)];
  return groups
    .map(([name, of]) => summaryOf(name, of))
    .toSorted((one, other) => one.function.localeCompare(other.function));
}

function summaryOf(name: string, of: readonly Delivery[]): Summary {
  const kinds = of.map(kindOf);
  const isCold = ({ coldMs }: Delivery): boolean => (coldMs ?? 0) > 0;
  const starts = of.filter(isCold);
  const warm = of.filter((one) => !isCold(one)).map(({ ms }) => ms);
  const last = starts.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)).at(-1)?.coldMs;
  return {
    function: name,
    done: kinds.filter((kind) => kind === 'done').length,
    ignored: kinds.filter((kind) => kind === 'ignored').length,
    failed: kinds.filter((kind) => kind === 'failed').length,
    cold: starts.map(({ coldMs }) => coldMs ?? 0),
    warm,
    p50: percentile(warm, 50),
    p95: percentile(warm, 95),
    ...(last !== undefined && { lastColdMs: last }),
    calls: counted(of.map((one) => one.function)),
    statuses: counted(of.filter((one) => kindOf(one) === 'failed').map(({ status }) => status)),
  };
}

/** The functions that had an event in the last minute before a time, which is in milliseconds since 1970. */
export function busyIn(deliveries: readonly Pick<Delivery, 'function' | 'at'>[], now: number): ReadonlySet<string> {
  return new Set(deliveries.filter(({ at }) => now - Date.parse(at) < 60_000).map((one) => one.function));
}

/** The value below which this part of the values lies; 0 without values. */
function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0;
}

/** How many values lie below each bound, and above the one before; the last count is of those above all bounds. */
export function histogramOf(values: readonly number[], bounds: readonly number[]): readonly number[] {
  const counts = new Array<number>(bounds.length + 1).fill(0);
  for (const value of values) {
    const index = bounds.findIndex((bound) => value <= bound);
    const at = index < 0 ? bounds.length : index;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}

/** A process from when it was started for an event, or answered first, until its last answer. In milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** When the processes of each function were at work, by what deliveries name as their instance: a lower bound of the time awake. */
export function spansOf(
  deliveries: readonly Delivery[],
  served: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly Span[]> {
  const spans = new Map<string, Map<string, Span>>();
  for (const { function: name, instance, at, ms, coldMs = 0 } of deliveries) {
    if (instance === undefined) continue;
    const process = served.get(name) ?? name;
    const own = spans.get(process) ?? new Map<string, Span>();
    const began = Date.parse(at);
    const { from, to } = own.get(instance) ?? { from: Number.POSITIVE_INFINITY, to: 0 };
    own.set(instance, { from: Math.min(from, began - coldMs), to: Math.max(to, began + ms) });
    spans.set(process, own);
  }
  return new Map([...spans].map(([process, own]) => [process, [...own.values()]]));
}

/** How many spans there are at a time: a step where one begins or ends. */
export function stepsOf(spans: readonly Span[]): readonly (readonly [number, number])[] {
  const edges = spans.flatMap(({ from, to }) => [[from, 1] as const, [to, -1] as const]);
  let count = 0;
  return edges
    .toSorted(([one, up], [other, otherUp]) => one - other || otherUp - up)
    .map(([at, step]) => {
      count += step;
      return [at, count] as const;
    });
}

export interface Cost {
  readonly function: string;
  readonly awakeSeconds: number;
  /** Of the time that was looked at, in percent. */
  readonly share: number;
}

/** Seconds that processes were at work between two times (milliseconds since 1970), beside one that never sleeps. */
export function costsOf(spans: ReadonlyMap<string, readonly Span[]>, { from, to }: Span): readonly Cost[] {
  return [...spans].map(([name, own]) => {
    const seconds = own.map((span) => Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)) / 1000);
    const awakeSeconds = seconds.reduce((sum, one) => sum + one, 0);
    return { function: name, awakeSeconds, share: (100 * awakeSeconds) / Math.max(1, (to - from) / 1000) };
  });
}

/** The process of each function, with what is known of it. */
export function processesIn(states: readonly FunctionState[]): readonly FunctionState[] {
  const groups = Map.groupBy(states, ({ name, process = name }) => process);
  return [...groups].map(([name, [first]]) => ({ ...first, name }));
}

/** `asleep`, `awake ×2`, `crashing`; `unknown` where nothing says it. */
export function wordOf(state: FunctionState | undefined): string {
  if (state?.awake === undefined) return 'unknown';
  if (state.crashing !== undefined) return 'crashing';
  return state.awake === 0 ? 'asleep' : `awake ×${state.awake}`;
}

/** `61 MB`, of two processes `120 MB in 2 processes`; undefined where nobody says it, and of a process that sleeps. */
export function memoryOf({ awake = 0, memoryBytes }: Partial<FunctionState> = {}): string | undefined {
  if (awake === 0 || memoryBytes === undefined) return undefined;
  return `${Math.round(memoryBytes / 1e6)} MB${awake === 1 ? '' : ` in ${awake} processes`}`;
}

function counted<Value>(values: readonly Value[]): readonly (readonly [Value, number])[] {
  const groups = [...Map.groupBy(values, (value) => value)].map(([value, of]) => [value, of.length] as const);
  return groups.toSorted(([, one], [, other]) => other - one);
}
