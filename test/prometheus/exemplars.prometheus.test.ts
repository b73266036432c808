import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postTraced, startMessageFunction, traceId } from '../build/traced-function.ts';
import { until } from '../kube/until.ts';
import { dashboards } from './dashboards/queries.ts';
import { startPrometheus } from './server.ts';

test('Prometheus takes the figures as OpenMetrics, and keeps the trace of a reconcile as an exemplar', async (t) => {
  // Nobody takes the spans: the figures name the trace all the same.
  const url = await startMessageFunction(t, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  await postTraced(url);
  const targets = [new URL(url).host];
  const server = await startPrometheus(t, [
    { job_name: 'message', static_configs: [{ targets, labels: { namespace: 'knudge' } }] },
  ]);
  await until('Prometheus has an exemplar', async () => (await server.exemplars('{job="message"}')).length > 0, 60);
  const [{ seriesLabels, exemplars } = { seriesLabels: {}, exemplars: [] }] = await server.exemplars('{job="message"}');
  assert.match(seriesLabels['__name__'] ?? '', /_reconcile_duration_seconds_bucket$/);
  assert.deepEqual(exemplars[0]?.labels, { trace_id: traceId });
  assert.ok(Number(exemplars[0]?.value) > 0);
  // As Grafana asks for them, with the query of the panel.
  const shown = dashboards().flatMap(({ panels }) => panels.flatMap(({ targets }) => targets));
  const [panel] = shown.filter(({ exemplar }) => exemplar === true);
  const query = panel?.expr.replaceAll('$namespace', 'knudge').replaceAll('$__rate_interval', '10m') ?? '';
  assert.deepEqual((await server.exemplars(query))[0]?.exemplars[0]?.labels, { trace_id: traceId });
  // What is no histogram came through as well.
  assert.equal((await server.query('knudge_events_total{job="message",outcome="gone"}'))[0]?.value, 1);
});
