import type { LogFigures } from '../domain/event-log.ts';
import { labelText, type Series, seriesText } from './exposition.ts';
import { metricTable } from './metric-table.ts';

/** The metrics that the event log counts in its tables; only their heads where there are no figures. */
export function logText(figures: LogFigures | undefined): string {
  const { deliveries = [], deadLetters = new Map<string, number>() } = figures ?? {};
  const { labels } = metricTable.deliveries;
  const each = (value: (total: LogFigures['deliveries'][number]) => number): Series =>
    new Map(deliveries.map((one) => [labelText(labels, [one.function, one.outcome]), value(one)]));
  return [
    seriesText(
      metricTable.deliveries,
      each((one) => one.deliveries),
    ),
    seriesText(
      metricTable.deliverySeconds,
      each(({ ms }) => ms / 1000),
    ),
    seriesText(
      metricTable.coldStarts,
      byFunction(deliveries, ({ cold }) => cold),
    ),
    seriesText(
      metricTable.coldStartSeconds,
      byFunction(deliveries, ({ coldMs }) => coldMs / 1000),
    ),
    seriesText(metricTable.deadLetters, byState(deadLetters)),
  ].join('');
}

function byFunction(
  totals: LogFigures['deliveries'],
  value: (total: LogFigures['deliveries'][number]) => number,
): Series {
  const sums = new Map<string, number>();
  for (const total of totals) {
    const labels = labelText(metricTable.coldStarts.labels, [total.function]);
    sums.set(labels, (sums.get(labels) ?? 0) + value(total));
  }
  return sums;
}

function byState(letters: ReadonlyMap<string, number>): Series {
  return new Map([...letters].map(([state, count]) => [labelText(metricTable.deadLetters.labels, [state]), count]));
}
