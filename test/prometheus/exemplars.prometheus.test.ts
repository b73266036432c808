import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postTraced, startMessageFunction, traceId } from '../build/traced-function.ts';
import { until } from '../kube/until.ts';
import { startPrometheus } from './server.ts';

test('Prometheus takes the figures as OpenMetrics, and keeps the trace of a reconcile as an exemplar', async (t) => {
  // Nobody takes the spans: the figures name the trace all the same.
  const url = await startMessageFunction(t, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  await postTraced(url);
  const targets = [new URL(url).host];
  const server = await startPrometheus(t, [{ job_name: 'message', static_configs: [{ targets }] }]);
  await until('Prometheus has an exemplar', async () => (await server.exemplars('{job="message"}')).length > 0, 60);
  const [{ seriesLabels, exemplars } = { seriesLabels: {}, exemplars: [] }] = await server.exemplars('{job="message"}');
  assert.match(seriesLabels['__name__'] ?? '', /_reconcile_duration_seconds_bucket$/);
  assert.deepEqual(exemplars[0]?.labels, { trace_id: traceId });
  assert.ok(Number(exemplars[0]?.value) > 0);
  // What is no histogram came through as well.
  assert.equal((await server.query('knudge_events_total{job="message",outcome="gone"}'))[0]?.value, 1);
});
