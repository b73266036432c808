import { cachedCount } from './cached-count.ts';
import type { Histogram, MetricInfo } from './exposition.ts';
import { histogramText, labelText, seriesText } from './exposition.ts';
import { metricTable } from './metric-table.ts';

/** Upper bounds of the buckets in seconds: from an event that changes nothing to far past the deadline of one. */
export const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25] as const;

export interface MetricsParts {
  /** How many DistributedServices there are in each state: asked when somebody scrapes; absent where another counts. */
  readonly countServices?: () => Promise<ReadonlyMap<string, number>>;
  /** When the last whole resync began, and what time it is, in milliseconds since 1970; absent where another tells. */
  readonly resync?: { readonly began: () => Promise<number | undefined>; readonly now: () => number };
  /** Gives the figures of Knudge's own source; absent in every other process. */
  readonly source?: () => SourceFigures;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** How long a scrape waits for the count; Prometheus itself waits 10 s. */
  readonly countTimeoutSeconds?: number;
}

/** What the source tells of itself. */
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
  reconciled(kind: string, result: string, seconds: number): void;
  reconcileFailed(errorType: string): void;
  event(stem: string, outcome: string): void;
  apiRequest(verb: string, code: string): void;
  /** The resync found something that no event had told, and it was mended. */
  resyncRepaired(kind: string): void;
  eventLogDropped(what: 'event' | 'dead-letter'): void;
  /** Everything in Prometheus' text format 0.0.4. */
  render(): Promise<string>;
}

/** The counters of one process. */
export function createMetrics({
  countServices = nothing,
  resync,
  source,
  now,
  countTimeoutSeconds = 3,
}: MetricsParts): Metrics {
  const durations = new Map<string, Histogram>();
  const errors = new Map<string, number>();
  const events = new Map<string, number>();
  const apiRequests = new Map<string, number>();
  const repairs = new Map<string, number>();
  const dropped = new Map<string, number>();
  const asked = { now, cacheSeconds: 15, timeoutSeconds: countTimeoutSeconds };
  const counted = cachedCount({ count: countServices, ...asked });
  const began = cachedCount({ count: async () => inMap(await resync?.began()), ...asked });
  return {
    reconciled: (kind, result, seconds) => observe(durations, [kind, result], seconds),
    reconcileFailed: (errorType) => increment(errors, metricTable.reconcileErrors, [errorType]),
    event: (stem, outcome) => increment(events, metricTable.events, [stem, outcome]),
    apiRequest: (verb, code) => increment(apiRequests, metricTable.apiRequests, [verb, code]),
    resyncRepaired: (kind) => increment(repairs, metricTable.resyncRepairs, [kind]),
    eventLogDropped: (what) => increment(dropped, metricTable.eventLogDropped, [what]),
    render: async () =>
      [
        histogramText(metricTable.reconcileDuration, durationBounds, durations),
        seriesText(metricTable.reconcileErrors, errors),
        seriesText(metricTable.managedServices, byState(await counted())),
        seriesText(metricTable.events, events),
        seriesText(metricTable.apiRequests, apiRequests),
        seriesText(metricTable.sinceResync, since(await began(), resync?.now())),
        seriesText(metricTable.resyncRepairs, repairs),
        seriesText(metricTable.eventLogDropped, dropped),
        sourceText(source?.()),
      ].join(''),
  };
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

/** Never below 0: the clock of whoever began it may be ahead. */
function since(began: ReadonlyMap<string, number> | undefined, now = 0): ReadonlyMap<string, number> {
  return new Map([...(began ?? [])].map(([labels, time]) => [labels, Math.max(0, Math.round((now - time) / 1000))]));
}

function observe(durations: Map<string, Histogram>, values: readonly string[], seconds: number): void {
  const labels = labelText(metricTable.reconcileDuration.labels, values);
  const histogram = durations.get(labels) ?? { buckets: durationBounds.map(() => 0), count: 0, sum: 0 };
  const bucket = durationBounds.findIndex((bound) => seconds <= bound);
  if (bucket >= 0) histogram.buckets[bucket] = (histogram.buckets[bucket] ?? 0) + 1;
  histogram.count += 1;
  histogram.sum += seconds;
  durations.set(labels, histogram);
}

function increment(series: Map<string, number>, { labels }: MetricInfo, values: readonly string[]): void {
  const text = labelText(labels, values);
  series.set(text, (series.get(text) ?? 0) + 1);
}

function byState(counts: ReadonlyMap<string, number> | undefined): ReadonlyMap<string, number> {
  return new Map(
    [...(counts ?? [])].map(([state, count]) => [labelText(metricTable.managedServices.labels, [state]), count]),
  );
}
