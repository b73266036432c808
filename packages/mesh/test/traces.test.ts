import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { testTracer } from '../../../test/build/tracer.ts';
import { serve } from '../../controller/test/cluster/loopback.ts';
import type { Answer, CloudEvent, Deliver, Destination } from '../cloud-event.ts';
import type { Hop } from '../hop.ts';
import type { Closers } from '../mesh-parts.ts';
import { traceDeliveries, traceMesh } from '../traces.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const event: CloudEvent = {
  attributes: { specversion: '1.0', id: '1', type: 't', source: '/s' },
  data: Buffer.alloc(0),
  headers: { 'kn-namespace': 'knudge' },
};
const broker: Destination = { kind: 'broker', namespace: 'knudge', name: 'default' };
const answered = (status: number): Answer => ({ kind: 'answered', status, headers: {}, body: Buffer.alloc(0) });

/** What one delivery hands on, and its span. */
async function delivered(answer: Answer, to = broker, sent = event) {
  const { tracer, spans } = testTracer();
  const seen: CloudEvent[] = [];
  const deliver = traceDeliveries(tracer, async (_, one) => {
    seen.push(one);
    return answer;
  });
  assert.equal(await deliver(to, sent), answer);
  const [span] = spans;
  assert.ok(span && seen[0]);
  return { span, handed: seen[0] };
}

suite('each try to deliver an event is a span', () => {
  test('that begins the trace, where the event has none', async () => {
    const { span, handed } = await delivered(answered(202));
    const { context, parentSpanId, name, kind, attributes, error } = span;
    assert.deepEqual([name, kind, parentSpanId, error], ['send broker default', 'producer', undefined, undefined]);
    assert.equal(attributes['http.response.status_code'], 202);
    assert.deepEqual(handed.headers, {
      'kn-namespace': 'knudge',
      traceparent: `00-${context.traceId}-${context.spanId}-01`,
    });
  });
  test('below the hop before it', async () => {
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    const { span, handed } = await delivered(answered(202), broker, { ...event, headers: { traceparent } });
    assert.deepEqual([span.context.traceId, span.parentSpanId], [traceId, 'b7ad6b7169203331']);
    assert.equal(handed.headers?.['traceparent'], `00-${traceId}-${span.context.spanId}-01`);
  });
  const rows: readonly (readonly [what: string, to: Destination, name: string])[] = [
    ['a function', { kind: 'function', namespace: 'knudge', name: 'message' }, 'send message'],
    [
      'a path of it',
      { kind: 'function', namespace: 'k', name: 'log', path: '/event-recorded' },
      'send log/event-recorded',
    ],
    ['a channel', { kind: 'channel', namespace: 'knudge', name: 'events' }, 'send channel events'],
    ['an address', { kind: 'uri', uri: 'http://sink.example.com:80/a?b=c' }, 'send sink.example.com'],
  ];
  for (const [what, to, name] of rows) {
    test(`to ${what}, by its name`, async () => assert.equal((await delivered(answered(204), to)).span.name, name));
  }
  test('that failed, where nobody took the event', async () => {
    assert.equal((await delivered(answered(503))).span.error, 'it answered 503');
    assert.equal((await delivered({ kind: 'failed', why: 'EOF' })).span.error, 'EOF');
  });
});

suite('a mesh', () => {
  const deliver: Deliver = async () => answered(202);
  const meshOf = (env: Readonly<Record<string, string>>) => {
    const hops: Hop[] = [];
    const closers: Closers = [];
    const way = traceMesh({ env, closers, report: (hop) => void hops.push(hop) }, deliver);
    const close = async (): Promise<void> => {
      for (const closer of closers) await closer();
    };
    return { way, hops, close };
  };
  test('delivers as before without a collector', () => assert.equal(meshOf({}).way, deliver));
  test('does not start with a wrong variable', () =>
    assert.throws(() => meshOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }), {
      code: 'misuse',
      message: /^the environment is wrong: OTEL_EXPORTER_OTLP_ENDPOINT is "collector:4318" and must be an address/,
    }));
  test('sends its last spans when it ends', async (t) => {
    const { url, seen } = await serve(t, () => ({ body: '{}' }));
    const { way, close, hops } = meshOf({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
    await way(broker, event);
    await close();
    assert.match(seen[0]?.body ?? '', /"service\.name","value":\{"stringValue":"mesh"\}.*"send broker default"/);
    assert.deepEqual(hops, []);
  });
  test('says that spans are lost, once', async () => {
    const { way, close, hops } = meshOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
    for (const _ of [1, 2]) {
      await way(broker, event);
      await close();
    }
    assert.equal(hops.length, 1);
    assert.match(JSON.stringify(hops[0]), /1 spans are lost: the collector: .*ECONNREFUSED/);
  });
});
