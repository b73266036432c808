import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { event } from '../../../../test/build/event.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { traceEvents } from '../../server/event-trace.ts';
import type { Ended } from '../../traces/otlp.ts';
import { samplerOf } from '../../traces/sampler.ts';
import { createTracer } from '../../traces/tracer.ts';
import { post, startApp } from './start.ts';
import { traced } from './traced.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const hop = 'b7ad6b7169203331';
const header = { traceparent: `00-${traceId}-${hop}-01` };

const withHeaders = (headers: Readonly<Record<string, string>>) => {
  const built = event();
  return { ...built, headers: { ...built.headers, ...headers } };
};

suite('an event is one span, from its request to the end of its answer', () => {
  test('below the hop that the header names, with what came of it', async () => {
    const { named, spans, line, calls } = await traced(withHeaders(header));
    const { context, parentSpanId, kind, attributes, error, links } = named('process message-changed');
    assert.deepEqual([context.traceId, parentSpanId, kind, error], [traceId, hop, 'consumer', undefined]);
    assert.deepEqual(links, []);
    assert.deepEqual(attributes, {
      'messaging.system': 'knative',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'message-changed',
      'cloudevents.event_id': 'event-1',
      'cloudevents.event_source': event().headers['ce-source'],
      'cloudevents.event_type': 'dev.knative.apiserver.resource.update',
      'knudge.outcome': 'done',
      'knudge.reads': 3,
      'knudge.writes': 1,
      'knudge.verb': 'updated',
      'knudge.object.kind': 'Message',
      'k8s.namespace.name': 'shop',
      'knudge.object.name': 'hello',
      'knudge.object.uid': calls[0]?.change.hint?.metadata.uid,
      'knudge.object.version': calls[0]?.change.hint?.metadata.resourceVersion,
    });
    const answer = named('answer');
    assert.deepEqual([answer.parentSpanId, answer.attributes['http.response.status_code']], [context.spanId, 204]);
    assert.equal(spans.length, 2);
    assert.equal(line['trace_id'], traceId);
    assert.equal(calls[0]?.options.traced?.span.context.spanId, context.spanId);
  });
  test('below the start that the extension names, where there is no header', async () => {
    const { named } = await traced(withHeaders({ 'ce-traceparent': header.traceparent }));
    assert.equal(named('process message-changed').parentSpanId, hop);
  });
  test('in a trace that begins with it, where neither is there', async () => {
    const { named, line } = await traced(event());
    const { context, parentSpanId } = named('process message-changed');
    assert.equal(parentSpanId, undefined);
    assert.equal(line['trace_id'], context.traceId);
  });
  test('that failed, where the answer says so', async () => {
    const handle = () =>
      Promise.reject(new KnudgeError('conflict', 'it has changed', { counts: { reads: 2, writes: 0 } }));
    const { named } = await traced(event(), { parts: { handle } });
    const { error, attributes } = named('process message-changed');
    assert.deepEqual(
      [error, attributes['knudge.outcome'], attributes['knudge.reads']],
      ['it has changed', 'conflict', 2],
    );
  });
  test('of none, where it is no event, or a report about events', async () => {
    const broken = event({ data: '{' });
    assert.deepEqual((await traced(broken)).spans, []);
    const report = event({ attributes: { type: 'dev.knudge.reconciled' } });
    assert.deepEqual((await traced(report)).spans, []);
  });
  test('that is sent of what concerned nobody only below a hop, or where it started the process', async () => {
    const parts = { handle: () => Promise.resolve([]), env: { LOG_LEVEL: 'debug' } };
    const alone = await traced(event(), { parts });
    assert.deepEqual([alone.line['outcome'], alone.spans, alone.line['trace_id']], ['ignored', [], undefined]);
    const below = await traced(withHeaders(header), { parts });
    assert.equal(below.named('process message-changed').attributes['knudge.outcome'], 'ignored');
    assert.equal(below.line['trace_id'], traceId);
    const woke = await traced(event(), { parts, age: 300 });
    assert.deepEqual([woke.named('wake').links, woke.named('process message-changed').parentSpanId], [[], undefined]);
  });
  test('that is not sent, where its sender has decided so', async () => {
    const { spans, line } = await traced(withHeaders({ traceparent: `00-${traceId}-${hop}-00` }));
    assert.deepEqual([spans, line['trace_id']], [[], traceId]);
  });
});

suite('the wake of a process is a span', () => {
  test('beside that of the event it was started for, below the hop', async () => {
    const { named } = await traced(withHeaders(header), { age: 300 });
    const { parentSpanId, began, ended } = named('wake');
    const handled = named('process message-changed');
    assert.equal(parentSpanId, hop);
    assert.ok(Math.abs(ended - handled.began) < 2 && handled.began - began >= 300);
  });
  test('below that of the event, where the trace begins with it', async () => {
    const { named } = await traced(event(), { age: 300 });
    assert.equal(named('wake').parentSpanId, named('process message-changed').context.spanId);
  });
  test('once, and not where the process was awake', async () => {
    const spans: Ended[] = [];
    const ended = (span: Ended) => spans.push(span);
    const tracer = createTracer({ sampler: samplerOf('always_on', 1), now: Date.now, ended });
    const { app } = startApp({ traces: traceEvents(tracer, Date.now()) });
    await post(app, event());
    await post(app, event());
    assert.equal(spans.filter(({ name }) => name === 'wake').length, 1);
    assert.equal(
      (await traced(event(), { age: 10_001 })).spans.some(({ name }) => name === 'wake'),
      false,
    );
  });
});

test('where nothing is traced, a trace that others have begun is logged all the same', async () => {
  const { app, lines, calls } = startApp();
  await post(app, withHeaders(header));
  await post(app, event());
  assert.deepEqual(
    lines.map((line) => line['trace_id']),
    [traceId, undefined],
  );
  assert.ok(calls.every(({ options }) => !('traced' in options)));
});
