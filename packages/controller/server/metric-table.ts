import type { MetricInfo } from './exposition.ts';

/** Every metric of the engine; docs/metrics.md has a row for each. */
export const metricTable = {
  reconcileDuration: {
    name: 'knudge_reconcile_duration_seconds',
    type: 'histogram',
    help: 'How long one reconcile of a parent took.',
    labels: ['kind', 'result'],
  },
  reconcileErrors: {
    name: 'knudge_reconcile_errors_total',
    type: 'counter',
    help: 'Reconciles that failed, by the code of the error.',
    labels: ['error_type'],
  },
  events: {
    name: 'knudge_events_total',
    type: 'counter',
    help: 'Events answered by each function, by result or by the code of the error.',
    labels: ['function', 'outcome'],
  },
  apiRequests: {
    name: 'knudge_api_requests_total',
    type: 'counter',
    help: 'Requests to the API server, by verb and status code, which is 0 where there was no answer.',
    labels: ['verb', 'code'],
  },
  sinceResync: {
    name: 'knudge_seconds_since_resync',
    type: 'gauge',
    help: 'Since the last resync began that asked after every parent; missing where there was none, or nobody can tell.',
    labels: [],
  },
  resyncRepairs: {
    name: 'knudge_resync_repairs_total',
    type: 'counter',
    help: 'Reconciles for an event of the resync that changed something, by kind of the parent.',
    labels: ['kind'],
  },
  eventLogDropped: {
    name: 'knudge_event_log_dropped_total',
    type: 'counter',
    help: 'Events and dead letters that the event log did not take in time.',
    labels: ['what'],
  },
  deliveries: {
    name: 'knudge_deliveries_total',
    type: 'counter',
    help: 'Deliveries that functions reported to the event log, since the log began.',
    labels: ['function', 'outcome'],
  },
  deliverySeconds: {
    name: 'knudge_delivery_seconds_total',
    type: 'counter',
    help: 'How long these deliveries took together.',
    labels: ['function', 'outcome'],
  },
  coldStarts: {
    name: 'knudge_cold_starts_total',
    type: 'counter',
    help: 'Deliveries among these that waited for a start of their function.',
    labels: ['function'],
  },
  coldStartSeconds: {
    name: 'knudge_cold_start_seconds_total',
    type: 'counter',
    help: 'How long these starts took together.',
    labels: ['function'],
  },
  deadLetters: {
    name: 'knudge_dead_letters',
    type: 'gauge',
    help: 'Dead letters that the event log keeps, by their state: open, sent-again or discarded.',
    labels: ['state'],
  },
  spans: {
    name: 'knudge_spans_total',
    type: 'counter',
    help: 'Spans of traces, by whether the collector took them or they were lost.',
    labels: ['outcome'],
  },
  sourceSent: {
    name: 'knudge_source_sent_total',
    type: 'counter',
    help: 'Events that the Broker took from the source.',
    labels: [],
  },
  sourceLeftOut: {
    name: 'knudge_source_left_out_total',
    type: 'counter',
    help: 'Changes that the source did not send, since no function looks at the part that changed.',
    labels: [],
  },
  sourceRetried: {
    name: 'knudge_source_retried_total',
    type: 'counter',
    help: 'Tries of the source to send an event that failed; each is made again.',
    labels: [],
  },
  sourceWaiting: {
    name: 'knudge_source_waiting_events',
    type: 'gauge',
    help: 'Events that the source has read and the Broker has not taken yet.',
    labels: [],
  },
  sourceLag: {
    name: 'knudge_source_lag_seconds',
    type: 'gauge',
    help: 'How long the oldest of these events has waited.',
    labels: [],
  },
  sourceBlind: {
    name: 'knudge_source_blind_watches',
    type: 'gauge',
    help: 'Watches of the source that the API server does not answer.',
    labels: [],
  },
  sourceObjects: {
    name: 'knudge_source_objects',
    type: 'gauge',
    help: 'Objects that the source has reported and that are still there.',
    labels: [],
  },
  sourceFile: {
    name: 'knudge_source_file_bytes',
    type: 'gauge',
    help: 'Size of the file in which the source keeps what it has reported.',
    labels: [],
  },
} as const satisfies Record<string, MetricInfo>;

/** What a controller calls the metrics of its reconciles, if not as the table does. */
export interface ReconcileNames {
  readonly duration?: string;
  readonly errors?: string;
}

/** The metrics of reconciles by the names that the controller gives them. */
export function reconcileMetrics({ duration, errors }: ReconcileNames): readonly [MetricInfo, MetricInfo] {
  const { reconcileDuration, reconcileErrors } = metricTable;
  return [
    { ...reconcileDuration, name: duration ?? reconcileDuration.name },
    { ...reconcileErrors, name: errors ?? reconcileErrors.name },
  ];
}
