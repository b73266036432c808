import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { createExporter, limits } from '../../traces/export.ts';
import type { Ended } from '../../traces/otlp.ts';
import { type Reply, serve } from '../cluster/loopback.ts';

const span: Ended = {
  name: 'work',
  kind: 'internal',
  parentSpanId: undefined,
  began: 1,
  ended: 2,
  links: [],
  attributes: {},
  context: { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', isSampled: true },
  error: undefined,
};

/** An exporter whose timers the test fires. */
function exporterTo(endpoint: string) {
  const timers: (() => void)[] = [];
  const [sent, lost]: [number[], [number, string][]] = [[], []];
  const exporter = createExporter({
    endpoint,
    headers: { authorization: 'Bearer abc' },
    service: 's',
    version: '1',
    instance: 'i',
    after: (ms, task) => {
      assert.equal(ms, limits.collectMs);
      timers.push(task);
    },
    sent: (spans) => void sent.push(spans),
    lost: (spans, why) => void lost.push([spans, why]),
  });
  return { ...exporter, timers, sent, lost };
}

async function collector(t: TestContext, reply: Reply = { body: '{}' }) {
  const { url, seen } = await serve(t, () => reply);
  const spansOf = (body: string): number => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans.length;
  return { url: `${url}/v1/traces`, seen, counts: () => seen.map(({ body }) => spansOf(body)) };
}

suite('spans are sent', () => {
  test('together, a second after the first of them, with the headers', async (t) => {
    const { url, seen, counts } = await collector(t);
    const { add, flush, timers, sent } = exporterTo(url);
    add(span);
    add(span);
    assert.deepEqual([timers.length, seen.length], [1, 0]);
    timers[0]?.();
    await flush();
    assert.deepEqual([counts(), sent], [[2], [2]]);
    const [{ method, url: path, headers } = { method: '', url: '', headers: {} }] = seen;
    assert.deepEqual([method, path], ['POST', '/v1/traces']);
    assert.deepEqual([headers['content-type'], headers.authorization], ['application/json', 'Bearer abc']);
    add(span);
    assert.equal(timers.length, 2);
  });
  test('at once when a request is full, at most 512 in each', async (t) => {
    const { url, counts } = await collector(t);
    const { add, flush, sent } = exporterTo(url);
    for (let n = 0; n < 700; n += 1) add(span);
    await flush();
    assert.deepEqual(
      [counts(), sent],
      [
        [512, 188],
        [512, 188],
      ],
    );
  });
  test('not at all where there are none', async (t) => {
    const { url, seen } = await collector(t);
    await exporterTo(url).flush();
    assert.equal(seen.length, 0);
  });
});

suite('spans are lost and counted', () => {
  test('where more wait than there is room for', async (t) => {
    const { url } = await collector(t);
    const { add, flush, sent, lost } = exporterTo(url);
    for (let n = 0; n < limits.waiting + limits.batch + 3; n += 1) add(span);
    // One batch was on its way when the others came.
    assert.deepEqual(lost, Array(3).fill([1, 'more than 2048 wait']));
    await flush();
    assert.equal(
      sent.reduce((sum, one) => sum + one, 0),
      limits.waiting + limits.batch,
    );
  });
  test('where the collector refuses them', async (t) => {
    const { url } = await collector(t, { status: 503, body: 'busy' });
    const { add, flush, sent, lost } = exporterTo(url);
    add(span);
    await flush();
    assert.deepEqual([sent, lost], [[], [[1, 'it answered 503']]]);
  });
  for (const scheme of ['http', 'https']) {
    test(`where nobody listens, over ${scheme}`, async () => {
      const { add, flush, lost } = exporterTo(`${scheme}://127.0.0.1:1/v1/traces`);
      add(span);
      await flush();
      assert.equal(lost[0]?.[0], 1);
      assert.match(lost[0]?.[1] ?? '', /ECONNREFUSED/);
    });
  }
  test('where it does not answer in time', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { promise: came, resolve } = Promise.withResolvers<void>();
    const { url } = await serve(t, () => {
      resolve();
      return undefined;
    });
    const { add, flush, lost } = exporterTo(url);
    add(span);
    const flushed = flush();
    await came;
    t.mock.timers.tick(limits.timeoutMs);
    await flushed;
    assert.deepEqual(lost, [[1, 'it did not answer in time']]);
  });
});
