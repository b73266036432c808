import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { message } from '../../../../test/build/objects.ts';
import { testTracer } from '../../../../test/build/tracer.ts';
import type { Change } from '../../domain/change.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { refOf } from '../../domain/kube-object.ts';
import type { Traced } from '../../domain/spans.ts';
import { itselfChanged } from '../../functions/itself-changed.ts';
import { beginRun } from '../../react/traced.ts';
import { reactOn } from './react-on.ts';

const ref = refOf(message());
const change: Change = { id: '1', verb: 'updated', ref };

/** A function that keeps a Message right, on a cluster that notes below which spans it is called. */
function started() {
  const callers: string[] = [];
  const cluster = memoryCluster();
  const noting = Object.assign(cluster, {
    traced: ({ span }: Traced) => {
      callers.push(span.context.spanId);
      return cluster;
    },
  });
  cluster.put(message());
  const { handle } = reactOn(noting, { handle: itselfChanged, kind: 'any' });
  return { ...testTracer(), handle, callers, cluster };
}

suite('a run over a parent is a span', () => {
  test('below that of the event, with its decisions and calls below it', async () => {
    const { begin, named, spans, handle, callers } = started();
    const event = begin();
    await handle(change, { dryRun: false, traced: event });
    const run = named('reconcile Message');
    assert.equal(run.parentSpanId, event.span.context.spanId);
    assert.deepEqual(run.attributes, {
      'knudge.object.kind': 'Message',
      'knudge.object.name': 'hello',
      'k8s.namespace.name': 'shop',
      'knudge.outcome': 'done',
    });
    const decisions = spans.filter(({ name }) => name === 'decide');
    assert.ok(decisions.length > 0);
    assert.ok(decisions.every(({ parentSpanId }) => parentSpanId === run.context.spanId));
    assert.deepEqual(
      decisions.map(({ attributes }) => attributes['knudge.writes']),
      [2, 0],
      'what it writes, and that nothing is left then',
    );
    assert.deepEqual(callers, [event.span.context.spanId, run.context.spanId]);
  });
  test('that failed, with the code of the error', async () => {
    const { begin, named, handle, cluster } = started();
    cluster.before = async () => {
      throw new KnudgeError('not-permitted', 'get of Message shop/hello was refused');
    };
    await assert.rejects(handle(change, { dryRun: false, traced: begin() }));
    const { attributes, error } = named('reconcile Message');
    assert.deepEqual([attributes['error.type'], error], ['not-permitted', 'get of Message shop/hello was refused']);
  });
  test('of none where nothing is traced', async () => {
    const { spans, handle, callers } = started();
    await handle(change, { dryRun: false });
    assert.deepEqual([spans, callers], [[], []]);
  });
});

suite('several events that share a run', () => {
  test('are linked with it, and it with them, beside the first', () => {
    const { begin, named } = testTracer();
    const [first, second, third] = [begin('one'), begin('two'), begin('three')];
    const run = beginRun(ref, [{ traced: first }, {}, { traced: second }, { traced: third }]);
    assert.ok(run);
    for (const one of [run, first, second, third]) one.span.end();
    const { parentSpanId, links } = named('reconcile Message');
    assert.equal(parentSpanId, first.span.context.spanId);
    assert.deepEqual(links, [second.span.context, third.span.context]);
    assert.deepEqual([named('one').links, named('two').links], [[], [run.span.context]]);
  });
  test('put it below one whose trace is sent', () => {
    const { begin } = testTracer();
    const silent = begin('one', { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), isSampled: false });
    const loud = begin('two');
    const run = beginRun(ref, [{ traced: silent }, { traced: loud }]);
    assert.equal(run?.span.context.traceId, loud.span.context.traceId);
    const only = beginRun(ref, [{ traced: silent }]);
    assert.equal(only?.span.context.isSampled, false);
  });
  test('are in no trace where nothing is traced', () => assert.equal(beginRun(ref, [{}, {}]), undefined));
});
