/** One metric as the table has it; its values come from counters or from a scrape. */
export interface MetricInfo {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
}

/** Values by the text of their labels, such as `kind="Greeting",result="done"`. */
export type Series = ReadonlyMap<string, number>;

export interface Histogram {
  /** How many values were at most as large as the bound at the same place in `bounds`; not cumulative. */
  readonly buckets: number[];
  count: number;
  sum: number;
  /** The last value of each bucket that is in a trace, at the same place; the one behind the last is that of +Inf. */
  readonly exemplars: (Exemplar | undefined)[];
}

/** A value with the trace that shows how it came about. */
export interface Exemplar {
  readonly value: number;
  /** 32 hexadecimal digits. */
  readonly traceId: string;
}

/** How a histogram is written. */
export interface HistogramForm {
  readonly bounds: readonly number[];
  /** Prometheus' text format has no place for them, OpenMetrics has. */
  readonly hasExemplars: boolean;
}

/** The labels of a series in the order of the table; values may hold anything. */
export function labelText(labels: readonly string[], values: readonly string[]): string {
  return labels.map((label, index) => `${label}="${escapeValue(values[index] ?? '')}"`).join(',');
}

/** A counter or gauge in Prometheus' text format 0.0.4, one line a series. */
export function seriesText(info: MetricInfo, series: Series): string {
  const lines = [...series].map(([labels, value]) => `${info.name}{${labels}} ${value}\n`);
  return `${headText(info)}${lines.join('')}`;
}

/** A histogram in the same format: cumulative buckets up to +Inf, sum and count. */
export function histogramText(
  info: MetricInfo,
  { bounds, hasExemplars }: HistogramForm,
  series: ReadonlyMap<string, Histogram>,
): string {
  const lines: string[] = [];
  for (const [labels, { buckets, count, sum, exemplars }] of series) {
    const behind = (index: number): string => (hasExemplars ? exemplarText(exemplars[index]) : '');
    let below = 0;
    bounds.forEach((bound, index) => {
      below += buckets[index] ?? 0;
      lines.push(`${info.name}_bucket{${labels},le="${bound}"} ${below}${behind(index)}\n`);
    });
    lines.push(`${info.name}_bucket{${labels},le="+Inf"} ${count}${behind(bounds.length)}\n`);
    lines.push(`${info.name}_sum{${labels}} ${sum}\n${info.name}_count{${labels}} ${count}\n`);
  }
  return `${headText(info)}${lines.join('')}`;
}

/** The text format as OpenMetrics 1.0: there the name of a counter's family lacks `_total`, and the end is marked. */
export function asOpenMetrics(text: string): string {
  return `${text.replaceAll(/^(# (?:HELP|TYPE) \S+)_total /gm, '$1 ')}# EOF\n`;
}

function exemplarText(exemplar: Exemplar | undefined): string {
  return exemplar === undefined ? '' : ` # {trace_id="${exemplar.traceId}"} ${exemplar.value}`;
}

function headText({ name, type, help }: MetricInfo): string {
  return `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`;
}

function escapeValue(value: string): string {
  if (!/[\\"\n]/.test(value)) return value;
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
