import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { serve } from '../packages/controller/test/cluster/loopback.ts';
import { traced } from '../packages/start/tracing.ts';
import { postTraced, startMessageFunction, traceId } from './build/traced-function.ts';
import { until } from './kube/until.ts';

interface Sent {
  readonly resource: Readonly<Record<string, string>>;
  readonly spans: readonly { readonly name: string; readonly traceId: string; readonly parentSpanId?: string }[];
}

/** Takes spans as a collector does. */
async function startCollector(t: TestContext) {
  const { url, seen } = await serve(t, () => ({ body: '{}' }));
  const sent = (): readonly Sent[] =>
    seen.map(({ body }) => {
      const [{ resource, scopeSpans }] = JSON.parse(body).resourceSpans;
      const pairs = resource.attributes.map((one: { key: string; value: { stringValue: string } }) => [
        one.key,
        one.value.stringValue,
      ]);
      return { resource: Object.fromEntries(pairs), spans: scopeSpans[0].spans };
    });
  return { url, seen, sent };
}

test('a function sends the spans of an event to the collector, in the trace of its header', async (t) => {
  const collector = await startCollector(t);
  const url = await startMessageFunction(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'greeter',
  });
  await postTraced(url);
  await until('the spans are sent', () => Promise.resolve(collector.seen.length > 0));
  const [{ resource, spans } = { resource: {}, spans: [] }] = collector.sent();
  assert.equal(collector.seen[0]?.url, '/v1/traces');
  assert.equal(resource['service.name'], 'greeter');
  assert.match(resource['service.instance.id'] ?? '', new RegExp(`/${String(process.pid)}$`));
  const names = spans.map(({ name }) => name).filter((name) => name !== 'wake');
  assert.deepEqual(names, ['get pods', 'get messages', 'reconcile Message', 'answer', 'process message-changed']);
  assert.ok(spans.every((span) => span.traceId === traceId && span.parentSpanId !== undefined));
  assert.match(await (await fetch(`${url}/metrics`)).text(), /^knudge_spans_total\{outcome="sent"\} [56]$/m);
});

test('a collector that is away costs nothing but spans, which are counted', async (t) => {
  const url = await startMessageFunction(t, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
  await postTraced(url);
  const lost = async () =>
    /^knudge_spans_total\{outcome="lost"\} [56]$/m.test(await (await fetch(`${url}/metrics`)).text());
  await until('they are lost', lost);
});

test('nothing is traced without an endpoint', async (t) => {
  const collector = await startCollector(t);
  const url = await startMessageFunction(t, { OTEL_TRACES_SAMPLER: 'always_on', OTEL_SERVICE_NAME: 'greeter' });
  await postTraced(url);
  assert.ok(!(await (await fetch(`${url}/metrics`)).text()).includes('knudge_spans_total{'));
  assert.equal(collector.seen.length, 0);
});

test('the last spans of a process are sent when it ends, beside what else it does then', async (t) => {
  const collector = await startCollector(t);
  const warned: unknown[] = [];
  const ended: string[] = [];
  const parts = {
    log: { warn: (fields: object) => void warned.push(fields) },
    metrics: { spans: (outcome: string, count: number) => void ended.push(`${outcome} ${String(count)}`) },
    after: () => () => undefined,
    // Long awake: no span of a wake.
    now: () => performance.now() + 60_000,
  };
  const endpoint = `${collector.url}/v1/traces`;
  const traces = { endpoint, headers: {}, service: 's', sampler: 'always_on', ratio: 1 } as const;
  const begun = {
    received: { id: '1', type: 't', source: '/s', extensions: new Map(), data: undefined },
    headers: {},
    stem: 'x',
    ageMs: 0,
  };
  const endOne = ({ traces: tracer }: ReturnType<typeof traced>): void => {
    const trace = tracer?.begin(begun);
    trace?.answered({ status: 204, headers: {}, body: '' }, { outcome: 'done', counts: {} }).sent?.();
  };
  const served = traced({ atEnd: async () => void ended.push('own work') }, { ...parts, config: { traces } });
  endOne(served);
  await served.atEnd?.();
  assert.deepEqual(ended.toSorted(), ['own work', 'sent 2']);
  const away = traced({}, { ...parts, config: { traces: { ...traces, endpoint: 'http://127.0.0.1:1/v1/traces' } } });
  for (const _ of [1, 2]) {
    endOne(away);
    await away.atEnd?.();
  }
  assert.deepEqual([ended.filter((one) => one === 'lost 2').length, warned.length], [2, 1]);
  const silent = { atEnd: async () => undefined };
  assert.equal(traced(silent, { ...parts, config: {} }), silent);
});
