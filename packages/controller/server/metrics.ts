import type { LogFigures } from '../domain/event-log.ts';
import { cachedCount } from './cached-count.ts';
import type { Histogram, MetricInfo } from './exposition.ts';
import { asOpenMetrics, histogramText, labelText, seriesText } from './exposition.ts';
import { logText } from './log-metrics.ts';
import { metricTable, type ReconcileNames, reconcileMetrics } from './metric-table.ts';

/** Upper bounds of the buckets in seconds: from an event that changes nothing to far past the deadline of one. */
export const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25] as const;

/** The log reads its figures from small tables, so they may be younger than what is asked of the API server. */
const logCacheSeconds = 5;

/** A gauge with one label, whose values are counted when somebody scrapes. */
export interface CountedGauge extends MetricInfo {
  /** How many there are of each value of the label. */
  readonly count: () => Promise<ReadonlyMap<string, number>>;
}

export interface MetricsParts {
  /** What the metrics of reconciles are called; absent in a process that reconciles nothing, which exports neither. */
  readonly reconciles?: ReconcileNames;
  /** What the controller itself counts; absent where it counts nothing, or another process does. */
  readonly states?: CountedGauge;
  /** When the last whole resync began, and what time it is, in milliseconds since 1970; absent where another process exports it. */
  readonly resync?: { readonly began: () => Promise<number | undefined>; readonly now: () => number };
  /** Reads the figures of the event log; absent in every other process. */
  readonly log?: () => Promise<LogFigures>;
  /** Gives the figures of Knudge's own source; absent in every other process. */
  readonly source?: () => SourceFigures;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** How long a scrape waits for the count; Prometheus itself waits 10 s. */
  readonly countTimeoutSeconds?: number;
}

/** The figures of the source itself. */
export interface SourceFigures {
  readonly sent: number;
  readonly leftOut: number;
  readonly failed: number;
  readonly waiting: number;
  readonly oldestMs: number;
  readonly blind: number;
  readonly objects: number;
  readonly fileBytes: number;
}

export interface Metrics {
  reconciled(kind: string, result: string, took: Took): void;
  reconcileFailed(errorType: string): void;
  event(stem: string, outcome: string): void;
  apiRequest(verb: string, code: string): void;
  /** The resync found something that no event had announced, and it was mended. */
  resyncRepaired(kind: string): void;
  eventLogDropped(what: 'event' | 'dead-letter'): void;
  spans(outcome: 'sent' | 'lost', count: number): void;
  /** Everything, in Prometheus' text format 0.0.4 if nothing is said. */
  render(format?: 'text' | 'OpenMetrics'): Promise<string>;
}

/** How long one reconcile took. */
export interface Took {
  readonly seconds: number;
  /** The trace that shows it; undefined where none is sent. */
  readonly traceId?: string | undefined;
}

/** The counters of one process. */
export function createMetrics({
  reconciles,
  states,
  resync,
  log,
  source,
  now,
  countTimeoutSeconds = 3,
}: MetricsParts): Metrics {
  const durations = new Map<string, Histogram>();
  const errors = new Map<string, number>();
  const events = new Map<string, Map<string, number>>();
  const apiRequests = new Map<string, number>();
  const repairs = new Map<string, number>();
  const dropped = new Map<string, number>();
  const spans = new Map<string, number>();
  const asked = { now, cacheSeconds: 15, timeoutSeconds: countTimeoutSeconds };
  const counted = cachedCount({ count: states?.count ?? nothing, ...asked });
  const began = cachedCount({ count: async () => inMap(await resync?.began()), ...asked });
  const logged = cachedCount({ count: async () => log?.(), ...asked, cacheSeconds: logCacheSeconds });
  return {
    reconciled: (kind, result, took) => observe(durations, [kind, result], took),
    reconcileFailed: (errorType) => increment(errors, metricTable.reconcileErrors, [errorType]),
    event: (stem, outcome) => countEvent(events, stem, outcome),
    apiRequest: (verb, code) => increment(apiRequests, metricTable.apiRequests, [verb, code]),
    resyncRepaired: (kind) => increment(repairs, metricTable.resyncRepairs, [kind]),
    eventLogDropped: (what) => increment(dropped, metricTable.eventLogDropped, [what]),
    spans: (outcome, count) => add(spans, labelText(metricTable.spans.labels, [outcome]), count),
    render: async (format = 'text') => {
      const hasExemplars = format === 'OpenMetrics';
      const text = [
        reconciles ? reconcileText(reconciles, { durations, errors, hasExemplars }) : '',
        states ? seriesText(states, byValue(states, await counted())) : '',
        seriesText(metricTable.events, byStemAndOutcome(events)),
        seriesText(metricTable.apiRequests, apiRequests),
        seriesText(metricTable.sinceResync, since(await began(), resync?.now())),
        seriesText(metricTable.resyncRepairs, repairs),
        seriesText(metricTable.eventLogDropped, dropped),
        logText(await logged()),
        seriesText(metricTable.spans, spans),
        sourceText(source?.()),
      ].join('');
      return hasExemplars ? asOpenMetrics(text) : text;
    },
  };
}

interface Reconciles {
  readonly durations: ReadonlyMap<string, Histogram>;
  readonly errors: ReadonlyMap<string, number>;
  readonly hasExemplars: boolean;
}

function reconcileText(names: ReconcileNames, { durations, errors, hasExemplars }: Reconciles): string {
  const [duration, failed] = reconcileMetrics(names);
  return `${histogramText(duration, { bounds: durationBounds, hasExemplars }, durations)}${seriesText(failed, errors)}`;
}

function sourceText(figures: SourceFigures | undefined): string {
  const values: readonly (readonly [MetricInfo, number | undefined])[] = [
    [metricTable.sourceSent, figures?.sent],
    [metricTable.sourceLeftOut, figures?.leftOut],
    [metricTable.sourceRetried, figures?.failed],
    [metricTable.sourceWaiting, figures?.waiting],
    [metricTable.sourceLag, figures && figures.oldestMs / 1000],
    [metricTable.sourceBlind, figures?.blind],
    [metricTable.sourceObjects, figures?.objects],
    [metricTable.sourceFile, figures?.fileBytes],
  ];
  return values.map(([info, value]) => seriesText(info, inMap(value))).join('');
}

async function nothing(): Promise<ReadonlyMap<string, number>> {
  return new Map();
}

function inMap(value: number | undefined): ReadonlyMap<string, number> {
  return value === undefined ? new Map() : new Map([['', value]]);
}

/** Never below 0: the clock of the instance that began it may be ahead. */
function since(began: ReadonlyMap<string, number> | undefined, now = 0): ReadonlyMap<string, number> {
  return new Map([...(began ?? [])].map(([labels, time]) => [labels, Math.max(0, Math.round((now - time) / 1000))]));
}

function observe(durations: Map<string, Histogram>, values: readonly string[], { seconds, traceId }: Took): void {
  const labels = labelText(metricTable.reconcileDuration.labels, values);
  const histogram = durations.get(labels) ?? { buckets: durationBounds.map(() => 0), count: 0, sum: 0, exemplars: [] };
  const found = durationBounds.findIndex((bound) => seconds <= bound);
  const bucket = found < 0 ? durationBounds.length : found;
  if (found >= 0) histogram.buckets[bucket] = (histogram.buckets[bucket] ?? 0) + 1;
  if (traceId !== undefined) histogram.exemplars[bucket] = { value: seconds, traceId };
  histogram.count += 1;
  histogram.sum += seconds;
  durations.set(labels, histogram);
}

/** By stem and outcome. Their text is made when somebody scrapes, because an event would have to wait for it. */
function countEvent(events: Map<string, Map<string, number>>, stem: string, outcome: string): void {
  const outcomes = events.get(stem) ?? new Map<string, number>();
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  events.set(stem, outcomes);
}

function byStemAndOutcome(events: ReadonlyMap<string, ReadonlyMap<string, number>>): ReadonlyMap<string, number> {
  const { labels } = metricTable.events;
  return new Map(
    [...events].flatMap(([stem, outcomes]) =>
      [...outcomes].map(([outcome, count]) => [labelText(labels, [stem, outcome]), count] as const),
    ),
  );
}

function increment(series: Map<string, number>, { labels }: MetricInfo, values: readonly string[]): void {
  add(series, labelText(labels, values), 1);
}

function add(series: Map<string, number>, text: string, count: number): void {
  series.set(text, (series.get(text) ?? 0) + count);
}

function byValue({ labels }: MetricInfo, counts: ReadonlyMap<string, number> | undefined): ReadonlyMap<string, number> {
  return new Map([...(counts ?? [])].map(([value, count]) => [labelText(labels, [value]), count]));
}
