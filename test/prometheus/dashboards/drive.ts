import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltEvent, event, recorded } from '../../build/event.ts';
import { until } from '../../kube/until.ts';
import { type PrometheusServer, startPrometheus } from '../server.ts';
import { ofSource, startKnative, startSource } from './others.ts';
import { type Ending, post, postUntilTaken, startApi, startBroker, startFunctions } from './processes.ts';

/** What is made to happen; `holdMs` is how long the API server takes for a Message, from before its event is sent. */
export const given = {
  messages: 4,
  services: 3,
  ticks: 2,
  letters: 5,
  discarded: 1,
  events: 6,
  cold: 3,
  coldMs: 200,
  holdMs: 400,
} as const;

/** Counted where it happened, and not by what is tested. */
export interface Counted {
  readonly prometheus: PrometheusServer;
  /** Requests that the API server saw, and how many events the log took and refused. */
  readonly apiRequests: () => number;
  readonly recorded: number;
  readonly refused: number;
  /** What was answered for DistributedServices and to ticks. */
  readonly services: readonly string[];
  readonly ticks: readonly string[];
  /** Seconds that each Message took, for who sent its event. */
  readonly seconds: readonly number[];
  readonly stuckSince: number;
}

const resynced = { 'ce-type': 'dev.knudge.resync.requested', 'ce-source': '/knudge/resync-due' };

/** A report of deliveries as the mesh makes it. */
function report(function_: string, count: number, more: object = {}): BuiltEvent {
  const nothing = { reads: 0, writes: 0, parents: [], written: [] };
  const deliveries = Array.from({ length: count }, (_, index) => ({
    event: { id: `${function_}-${String(index)}`, source: '/s' },
    function: function_,
    ...nothing,
    at: new Date(Date.now() - index).toISOString(),
    ms: 500,
    status: 204,
    outcome: 'done',
    ...more,
  }));
  const attributes = { type: 'dev.knudge.reconciled', source: '/knudge/mesh', id: crypto.randomUUID() };
  const none = { kind: undefined, apiversion: undefined, name: undefined, namespace: undefined };
  return event({ attributes: { ...attributes, ...none }, data: { deliveries } });
}

/** Starts everything, lets Prometheus see it at rest, does what is given, and waits until Prometheus has seen that. */
export async function drive(ending: Ending): Promise<Counted> {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-dashboards-'));
  ending(() => rmSync(folder, { recursive: true, force: true }));
  const [api, broker, knative] = [await startApi(ending), await startBroker(ending), await startKnative(ending)];
  const file = join(folder, 'events.db');
  const at = await startFunctions(ending, { api: api.url, sink: broker.url, file });
  broker.log = at['event-log'];
  const source = await startSource(ending, folder);
  const jobs = Object.entries({ ...at, source: source.url, knative: knative.url });
  const prometheus = await startPrometheus(
    { after: ending },
    jobs.map(([job, url]) => ({
      job_name: job,
      static_configs: [{ targets: [new URL(url).host], labels: { namespace: 'knudge', pod: `${job}-1` } }],
    })),
  );
  const toLog = `${at['event-log']}/event-recorded`;
  // The first delivery of a function and an outcome is in no increase.
  for (const stem of ['message-changed', 'resync-due']) await postUntilTaken(toLog, report(stem, 1));
  await postUntilTaken(toLog, report('pod-changed', 1, { coldMs: given.coldMs }));
  const seen = async (query: string, count = 1): Promise<void> =>
    until(
      query,
      async () => {
        const samples = await prometheus.query(query);
        return samples.reduce((sum, { value }) => sum + value, 0) >= count || samples;
      },
      60,
    );
  await seen('min(count_over_time(knudge_cold_starts_total{function="pod-changed"}[1m]))', 3);
  await seen('min(count_over_time(kn_eventing_dispatch_duration_seconds_count[1m]))', 3);

  knative.handOn();
  const slowly = (): void => {
    api.hold = sleep(given.holdMs);
  };
  const { seconds } = await changes(at['message-changed'], 'Message', { count: given.messages, before: slowly });
  const { answers: services } = await changes(
    `${at['distributed-service']}/distributed-service-changed`,
    'DistributedService',
    { count: given.services },
  );
  const ticks: string[] = [];
  for (let n = 0; n < given.ticks; n += 1) {
    ticks.push(
      await post(at['resync-due'], recorded('resync-due/pingsource-through-broker', { 'ce-id': `tick-${String(n)}` })),
    );
  }
  const log = await fillLog(at['event-log'], file);
  await until('the functions have reported', async () => broker.reports >= 2 || broker.reports, 60);
  await seen(`knudge_deliveries_total{function="message-changed"}`, 1 + given.messages);
  await seen(`knudge_deliveries_total{function="pod-changed"}`, 1 + given.cold);
  await seen(`knudge_dead_letters{state="discarded"}`, given.discarded);
  await seen(`knudge_event_log_dropped_total{what="event"}`, 1);
  await seen(`sum(knudge_events_total{function="resync-due"})`, given.ticks);
  // Its query looks at every fifteenth second alone.
  await seen('max(max_over_time(knudge_seconds_since_resync[30m:15s]))');
  await seen(`knudge_source_sent_total`, ofSource.sent);
  // Of more than this, the guess of `increase` about both ends is less than what is allowed.
  await seen('min(count_over_time(knudge_cold_starts_total{function="pod-changed"}[10m]))', 32);
  const { refused } = log;
  const reports = 3 + broker.reports;
  return {
    prometheus,
    services,
    ticks,
    seconds,
    refused,
    stuckSince: source.stuckSince,
    apiRequests: () => api.seen.length,
    recorded: reports + log.taken,
  };
}

/** Events of the resync, one after the other, each about an object of its own; gives what was answered, and after how long. */
async function changes(
  url: string,
  kind: string,
  { count, before }: { readonly count: number; readonly before?: () => void },
) {
  const [seconds, answers]: [number[], string[]] = [[], []];
  for (let n = 0; n < count; n += 1) {
    const apiversion = kind === 'Message' ? 'myorg.dev/v1' : 'frp.io/v1beta1';
    const about = {
      'ce-apiversion': apiversion,
      'ce-kind': kind,
      'ce-namespace': `shop-${String(n)}`,
      'ce-name': 'hello',
    };
    const headers = { 'ce-specversion': '1.0', 'ce-id': `${kind}-${String(n)}`, ...about, ...resynced };
    const began = performance.now();
    before?.();
    answers.push(await post(url, { headers, body: Buffer.alloc(0) }));
    seconds.push((performance.now() - began) / 1000);
  }
  return { seconds, answers };
}

/** Events, dead letters and reports for the log, and an event while its file is held. */
async function fillLog(url: string, file: string): Promise<{ readonly taken: number; readonly refused: number }> {
  const taken = { events: 0, refused: 0 };
  const record = async (id: string): Promise<void> => {
    const answer = await post(`${url}/event-recorded`, recorded('pod-changed/pod-add', { 'ce-id': id }));
    if (answer === 'done') taken.events += 1;
    else taken.refused += 1;
  };
  await postUntilTaken(`${url}/event-recorded`, report('pod-changed', given.cold, { coldMs: given.coldMs }));
  await postUntilTaken(`${url}/event-recorded`, report('resync-due', given.ticks));
  taken.events += 2;
  while (taken.events < 2 + given.events) await record(`e-${String(taken.events)}`);
  for (let n = 0; n < given.letters; n += 1) {
    const letter = recorded('dead-lettered/broker-deadletter-after-400', { 'ce-id': `l-${String(n)}` });
    await postUntilTaken(`${url}/dead-lettered`, letter);
  }
  const headers = { 'content-type': 'application/json' };
  for (let n = 1; n <= given.discarded; n += 1)
    await fetch(`${url}/dead-letters/${String(n)}/discard`, { method: 'POST', headers, body: '{}' });
  const other = new DatabaseSync(file, { timeout: 5_000 });
  other.exec('BEGIN IMMEDIATE');
  await record('refused');
  other.exec('ROLLBACK');
  other.close();
  return { taken: taken.events, refused: taken.refused };
}
