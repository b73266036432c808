import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { keepClock } from '../../traces/clock.ts';
import { randomId } from '../../traces/ids.ts';
import { type Ended, requestOf } from '../../traces/otlp.ts';
import { samplerOf, type samplers } from '../../traces/sampler.ts';
import { createTracer } from '../../traces/tracer.ts';

const remote = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', isSampled: true };

function tracerOf(name: (typeof samplers)[number] = 'parentbased_always_on', ratio = 1) {
  const spans: Ended[] = [];
  let time = 1_000_000;
  const now = (): number => {
    time += 0.25;
    return time;
  };
  return { spans, tracer: createTracer({ sampler: samplerOf(name, ratio), now, ended: (span) => spans.push(span) }) };
}

suite('a span', () => {
  test('is in the trace of its parent, and ends once', () => {
    const { spans, tracer } = tracerOf();
    const span = tracer.start('work', { kind: 'internal', parent: remote, attributes: { a: 1 } });
    span.link({ ...remote, spanId: '00f067aa0ba902b7' });
    span.end({ attributes: { b: true }, error: 'no' });
    span.link(remote);
    span.end({ error: 'again' });
    const [one, ...others] = spans;
    assert.deepEqual(others, []);
    assert.ok(one && one.context.traceId === remote.traceId && one.parentSpanId === remote.spanId);
    assert.match(one.context.spanId, /^[0-9a-f]{16}$/);
    assert.notEqual(one.context.spanId, remote.spanId);
    assert.deepEqual([one.attributes, one.error, one.links.length], [{ a: 1, b: true }, 'no', 1]);
    assert.deepEqual([one.began, one.ended], [1_000_000.25, 1_000_000.5]);
  });
  test('begins a trace where it has no parent', () => {
    const { spans, tracer } = tracerOf();
    tracer.start('one', { kind: 'internal' }).end();
    tracer.start('two', { kind: 'internal' }).end();
    const ids = spans.map(({ context }) => context.traceId);
    assert.ok(ids.every((id) => /^[0-9a-f]{32}$/.test(id)) && ids[0] !== ids[1]);
    assert.ok(spans.every(({ parentSpanId }) => parentSpanId === undefined));
  });
  test('never ends before it begins, whatever a clock says', () => {
    const { spans, tracer } = tracerOf();
    tracer.start('wake', { kind: 'internal', began: 2000 }).end({ at: 1000 });
    assert.deepEqual([spans[0]?.began, spans[0]?.ended], [2000, 2000]);
  });
});

suite('a sampler', () => {
  const sent = (name: (typeof samplers)[number], isSampled: boolean | undefined): boolean => {
    const { spans, tracer } = tracerOf(name, 0.5);
    const parent = isSampled === undefined ? undefined : { ...remote, isSampled };
    const { context, end } = tracer.start('one', { kind: 'internal', parent });
    end();
    assert.equal(spans.length === 1, context.isSampled);
    return context.isSampled;
  };
  // The ratio of 0.5 takes trace ids whose last 13 digits are in the upper half, as those of this parent are.
  const rows: readonly (readonly [(typeof samplers)[number], boolean | undefined, boolean])[] = [
    ['always_on', false, true],
    ['always_off', true, false],
    ['parentbased_always_on', undefined, true],
    ['parentbased_always_on', false, false],
    ['parentbased_always_off', undefined, false],
    ['parentbased_always_off', true, true],
    ['parentbased_traceidratio', true, true],
    ['parentbased_traceidratio', false, false],
    ['traceidratio', false, true],
  ];
  for (const [name, parent, expected] of rows) {
    const what = parent === undefined ? 'none' : parent ? 'a sampled parent' : 'a parent that is not';
    test(`${name} with ${what}: ${String(expected)}`, () => assert.equal(sent(name, parent), expected));
  }
  test('of a ratio takes that part, and each process the same', () => {
    const [quarter, half] = [samplerOf('traceidratio', 0.25), samplerOf('parentbased_traceidratio', 0.5)];
    const ids = Array.from({ length: 4000 }, () => tracerOf().tracer.start('x', { kind: 'internal' }).context.traceId);
    const taken = ids.filter((id) => quarter(id, undefined));
    assert.ok(taken.length > 800 && taken.length < 1200, String(taken.length));
    assert.ok(taken.every((id) => half(id, undefined)));
    assert.ok(ids.every((id) => samplerOf('traceidratio', 1)(id, undefined)));
    assert.ok(!ids.some((id) => samplerOf('traceidratio', 0)(id, undefined)));
  });
});

suite('the span that wrote a version', () => {
  const version = { uid: 'u', resourceVersion: '7' };
  test('is found, among the last 4096, if its trace is sampled', () => {
    const { tracer, spans } = tracerOf();
    tracer.wrote(version, { ...remote, isSampled: false });
    assert.deepEqual([tracer.writerOf(version), spans], [undefined, []]);
    tracer.wrote(version, remote);
    assert.deepEqual(tracer.writerOf(version), remote);
    assert.equal(tracer.writerOf({ uid: 'u', resourceVersion: '8' }), undefined);
    for (let n = 0; n < 4096; n += 1) tracer.wrote({ uid: 'v', resourceVersion: String(n) }, remote);
    assert.equal(tracer.writerOf(version), undefined);
    assert.deepEqual(tracer.writerOf({ uid: 'v', resourceVersion: '0' }), remote);
  });
  test('is found from another process by a mark that leads to it, whose ids follow from the version', () => {
    const [here, there] = [tracerOf(), tracerOf()];
    here.tracer.wrote(version, remote);
    const [mark, ...others] = here.spans;
    assert.deepEqual(others, []);
    assert.deepEqual([mark?.name, mark?.links, mark?.parentSpanId], ['written', [remote], undefined]);
    assert.deepEqual(mark?.context, there.tracer.markOf(version));
    assert.match(`${mark?.context.traceId ?? ''}${mark?.context.spanId ?? ''}`, /^[0-9a-f]{48}$/);
    assert.notEqual(there.tracer.markOf({ ...version, uid: 'w' }).traceId, mark?.context.traceId);
  });
  test('has no mark, where it deleted at once', () => {
    const { tracer, spans } = tracerOf();
    tracer.wrote({ uid: 'u', resourceVersion: '' }, remote);
    assert.deepEqual(spans, []);
    assert.deepEqual(tracer.writerOf({ uid: 'u', resourceVersion: '' }), remote);
  });
});

test('ids are never the same twice, also where the stock of random bytes is filled anew', () => {
  const ids = Array.from({ length: 2000 }, (_, at) => randomId(at % 3 === 0 ? 16 : 8));
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every((id, at) => (at % 3 === 0 ? /^[0-9a-f]{32}$/ : /^[0-9a-f]{16}$/).test(id)));
});

test('the clock goes on evenly, and follows when the clock of the machine is set', () => {
  let epoch = 1000;
  let elapsed = 10;
  const now = keepClock(
    () => epoch,
    () => elapsed,
  );
  assert.equal(now(), 1000);
  [epoch, elapsed] = [1001, 10.25];
  assert.equal(now(), 1000.25);
  [epoch, elapsed] = [5000, 11];
  assert.equal(now(), 5000);
});

test("a request has the form of OTLP's JSON, without what nobody may read", () => {
  const span: Ended = {
    name: 'apply services',
    kind: 'client',
    context: remote,
    parentSpanId: '00f067aa0ba902b7',
    began: 1_774_000_000_000.125,
    ended: 1_774_000_000_001,
    links: [remote],
    error: 'with Bearer abc.def',
    attributes: { text: 'x', count: 3, part: 0.5, is: false, none: undefined },
  };
  const sending = { service: 'message', version: '1.2.3', instance: 'pod-1' };
  assert.deepEqual(JSON.parse(requestOf([span], sending)), {
    resourceSpans: [
      {
        resource: {
          attributes: [
            { key: 'service.name', value: { stringValue: 'message' } },
            { key: 'service.version', value: { stringValue: '1.2.3' } },
            { key: 'service.instance.id', value: { stringValue: 'pod-1' } },
          ],
        },
        scopeSpans: [
          {
            scope: { name: 'knudge', version: '1.2.3' },
            spans: [
              {
                traceId: remote.traceId,
                spanId: remote.spanId,
                parentSpanId: '00f067aa0ba902b7',
                name: 'apply services',
                kind: 3,
                startTimeUnixNano: '1774000000000125000',
                endTimeUnixNano: '1774000000001000000',
                attributes: [
                  { key: 'text', value: { stringValue: 'x' } },
                  { key: 'count', value: { intValue: '3' } },
                  { key: 'part', value: { doubleValue: 0.5 } },
                  { key: 'is', value: { boolValue: false } },
                ],
                links: [{ traceId: remote.traceId, spanId: remote.spanId }],
                status: { code: 2, message: 'with Bearer [not kept]' },
              },
            ],
          },
        ],
      },
    ],
  });
});
