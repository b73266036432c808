import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { testTracer } from '../../../../test/build/tracer.ts';
import { createCluster } from '../../cluster/cluster.ts';
import { counted } from '../../cluster/counted.ts';
import { findAccess } from '../../cluster/find-access.ts';
import type { Tried } from '../../domain/delivery.ts';
import type { Traced } from '../../domain/spans.ts';
import { type Reply, serve } from './loopback.ts';

const ref = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web' };
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'shop', name: 'web', uid: 'u-1', resourceVersion: '7' },
};

/** The same before the API server has it. */
const unmade = { ...pod, metadata: { namespace: 'shop', name: 'web' } };

/** A cluster behind an API server that answers so, whose calls are traced. */
async function tracedBy(t: TestContext, by: Traced, reply: Reply) {
  const { url } = await serve(t, () => reply);
  const access = await findAccess({ kubeconfig: undefined, host: undefined, port: undefined, url, token: '' });
  const cluster = createCluster({ access, version: '1', instance: 'x', onLostNotice: () => {} });
  t.after(cluster.close);
  const traced = cluster.traced?.(by);
  assert.ok(traced);
  return traced;
}

suite('each call to the API server is a span', () => {
  test('a read', async (t) => {
    const { begin, named } = testTracer();
    const by = begin();
    await (await tracedBy(t, by, { body: pod })).get(ref);
    const { kind, parentSpanId, attributes, error } = named('get pods');
    assert.deepEqual([kind, parentSpanId, error], ['client', by.span.context.spanId, undefined]);
    assert.deepEqual(attributes, {
      'http.request.method': 'GET',
      'url.path': '/api/v1/namespaces/shop/pods/web',
      'knudge.target': 'Pod shop/web',
      'knudge.resource': 'pods',
      'knudge.object.uid': undefined,
      'knudge.object.version': undefined,
    });
    assert.equal(by.tracer.writerOf(pod.metadata), undefined);
  });
  test('a write, which is remembered for the event of its version', async (t) => {
    const { begin, named } = testTracer();
    const by = begin();
    await (await tracedBy(t, by, { body: pod })).create(unmade);
    const { context, attributes } = named('create pods');
    assert.deepEqual([attributes['knudge.object.uid'], attributes['knudge.object.version']], ['u-1', '7']);
    assert.deepEqual(by.tracer.writerOf({ uid: 'u-1', resourceVersion: '7' }), context);
  });
  test('a write that is only tried, of which no event comes', async (t) => {
    const { begin, named } = testTracer();
    const by = begin();
    const { trial } = await tracedBy(t, by, { body: pod });
    const { create } = (await trial?.(() => {})) ?? assert.fail();
    await create(unmade);
    const { attributes } = named('dry-run pods');
    assert.deepEqual([attributes['http.request.method'], attributes['knudge.object.version']], ['POST', undefined]);
    assert.equal(by.tracer.writerOf({ uid: 'u-1', resourceVersion: '7' }), undefined);
  });
  test('one that fails, with the code of the error', async (t) => {
    const { begin, named } = testTracer();
    const traced = await tracedBy(t, begin(), { status: 403, body: { kind: 'Status', message: 'no' } });
    await assert.rejects(traced.get(ref), { code: 'not-permitted' });
    const { error, attributes } = named('get pods');
    assert.equal(attributes['error.type'], 'not-permitted');
    assert.match(error ?? '', /get of Pod shop\/web/);
  });
  test('also where calls are counted and writes are heard', async (t) => {
    const { begin, named } = testTracer();
    const heard: Tried[] = [];
    const within = {
      budget: { reads: 9, writes: 9, bytes: 9999 },
      about: 'a test',
      milliseconds: 9999,
      elapsed: () => 0,
    };
    const { reader, writer, counts } = counted(
      await tracedBy(t, begin(), { body: pod }),
      within,
      (one) => void heard.push(one),
    );
    await reader.get(ref);
    await writer.create(unmade);
    await writer.notice(pod, { type: 'Normal', reason: 'Made', note: 'made' });
    assert.ok(named('get pods') && named('create pods') && named('create events'));
    assert.deepEqual([heard.length, counts()], [1, { reads: 1, writes: 1, notices: 1 }]);
  });
});
