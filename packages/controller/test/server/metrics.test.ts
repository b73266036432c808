import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { metricTable } from '../../server/metric-table.ts';
import { createMetrics, durationBounds } from '../../server/metrics.ts';

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A small parser of the text format 0.0.4 that fails on anything it does not know. */
function parse(text: string): { samples: Sample[]; types: Map<string, string> } {
  assert.ok(text.endsWith('\n'));
  const samples: Sample[] = [];
  const types = new Map<string, string>();
  for (const line of text.slice(0, -1).split('\n')) {
    const type = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line);
    if (type?.[1] !== undefined && type[2] !== undefined) types.set(type[1], type[2]);
    if (type !== null || /^# HELP [a-z_]+ \S/.test(line)) continue;
    const sample = /^([a-z_]+)\{((?:[a-z_]+="(?:[^"\\]|\\[\\"n])*",?)*)\} (\S+)$/.exec(line);
    assert.ok(sample !== null, `not a sample: ${line}`);
    const [, name = '', labels = '', value = ''] = sample;
    const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', raw = '']) => [
      label,
      withoutEscapes(raw),
    ]);
    samples.push({ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) });
    assert.ok(!Number.isNaN(Number(value)));
  }
  return { samples, types };
}

const withoutEscapes = (raw: string): string =>
  raw.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
const none = async (): Promise<ReadonlyMap<string, number>> => new Map();
const shops = { name: 'shops', type: 'gauge', help: 'Shops by color.', labels: ['color'] } as const;
const metricsOf = (count = none, now = () => 0, countTimeoutSeconds = 0.05) =>
  createMetrics({ reconciles: {}, states: { ...shops, count }, now, countTimeoutSeconds });
const { reconcileDuration, reconcileErrors, ...rest } = metricTable;
const others = Object.values(rest);
const all = [reconcileDuration, reconcileErrors, shops, ...others];

test('every metric of the table, and that of the controller, is exposed with its type, also before anything happened', async () => {
  const { types } = parse(await metricsOf().render());
  assert.deepEqual(
    [...types],
    all.map(({ name, type }) => [name, type]),
  );
});

test('a histogram counts each value in every bucket that it fits', async () => {
  const metrics = metricsOf();
  for (const seconds of [0.001, 0.005, 0.3, 26]) metrics.reconciled('Message', 'done', { seconds });
  metrics.reconciled('DistributedService', 'done', { seconds: 1 });
  const { samples } = parse(await metrics.render());
  const name = metricTable.reconcileDuration.name;
  const ofMessages = samples.filter(({ labels }) => labels['kind'] === 'Message' && labels['result'] === 'done');
  const buckets = ofMessages
    .filter((sample) => sample.name === `${name}_bucket`)
    .map(({ labels, value }) => [labels['le'], value]);
  const want = durationBounds.map((bound) => [String(bound), bound < 0.5 ? 2 : 3]);
  assert.deepEqual(buckets, [...want, ['+Inf', 4]]);
  assert.equal(ofMessages.find((sample) => sample.name === `${name}_count`)?.value, 4);
  assert.ok(Math.abs((ofMessages.find((sample) => sample.name === `${name}_sum`)?.value ?? 0) - 26.306) < 1e-9);
});

test('metrics of reconciles are called as the controller says', async () => {
  const metrics = createMetrics({ reconciles: { duration: 'a_seconds', errors: 'b_total' }, now: () => 0 });
  metrics.reconciled('Shop', 'done', { seconds: 1 });
  metrics.reconcileFailed('conflict');
  const { samples, types } = parse(await metrics.render());
  assert.deepEqual([...types].slice(0, 2), [
    ['a_seconds', 'histogram'],
    ['b_total', 'counter'],
  ]);
  assert.deepEqual(
    [...new Set(samples.map(({ name }) => name))],
    ['a_seconds_bucket', 'a_seconds_sum', 'a_seconds_count', 'b_total'],
  );
});

test('a process that reconciles nothing exports no metric of reconciles, and none of the controller', async () => {
  const { types } = parse(await createMetrics({ now: () => 0 }).render());
  assert.deepEqual(
    [...types.keys()],
    others.map(({ name }) => name),
  );
});

test('counters count by their labels', async () => {
  const metrics = metricsOf();
  metrics.apiRequest('GET', '200');
  metrics.apiRequest('GET', '200');
  metrics.apiRequest('PATCH', '409');
  metrics.reconcileFailed('conflict');
  metrics.eventLogDropped('event');
  metrics.eventLogDropped('event');
  metrics.spans('sent', 7);
  metrics.spans('lost', 1);
  metrics.spans('sent', 3);
  const { samples } = parse(await metrics.render());
  assert.deepEqual(samples, [
    { name: 'knudge_reconcile_errors_total', labels: { error_type: 'conflict' }, value: 1 },
    { name: 'knudge_api_requests_total', labels: { verb: 'GET', code: '200' }, value: 2 },
    { name: 'knudge_api_requests_total', labels: { verb: 'PATCH', code: '409' }, value: 1 },
    { name: 'knudge_event_log_dropped_total', labels: { what: 'event' }, value: 2 },
    { name: 'knudge_spans_total', labels: { outcome: 'sent' }, value: 10 },
    { name: 'knudge_spans_total', labels: { outcome: 'lost' }, value: 1 },
  ]);
});

test('a label may hold anything', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '\n', '\\n', '"} 1\nx{a="')),
      async (value) => {
        const metrics = metricsOf();
        metrics.event('pod-changed', value);
        const { samples } = parse(await metrics.render());
        assert.deepEqual(samples, [
          { name: 'knudge_events_total', labels: { function: 'pod-changed', outcome: value }, value: 1 },
        ]);
      },
    ),
  );
});

suite('the seconds since the last resync', () => {
  const gauge = async (began: () => Promise<number | undefined>, now = 400_000) => {
    const metrics = createMetrics({ resync: { began, now: () => now }, now: () => 0, countTimeoutSeconds: 0.05 });
    const { samples } = parse(await metrics.render());
    return samples.filter(({ name }) => name === metricTable.sinceResync.name).map(({ value }) => value);
  };
  test('are those since it began', async () => assert.deepEqual(await gauge(async () => 100_000), [300]));
  test('are never less than none', async () => assert.deepEqual(await gauge(async () => 500_000), [0]));
  test('are missing where there was none', async () => assert.deepEqual(await gauge(async () => undefined), []));
  test('are missing where nobody can tell', async () =>
    assert.deepEqual(await gauge(() => Promise.reject(new Error('away'))), []));
});

suite('what the controller counts', () => {
  const gauge = async (metrics: ReturnType<typeof metricsOf>) =>
    parse(await metrics.render())
      .samples.filter(({ name }) => name === shops.name)
      .map(({ labels, value }) => [labels['color'], value]);

  test('are counted when somebody scrapes, at most every 15 s, once for all who wait', async () => {
    let calls = 0;
    let time = 1000;
    const count = async () => new Map([['red', ++calls]]);
    const metrics = metricsOf(count, () => time);
    assert.equal(calls, 0);
    assert.deepEqual(await Promise.all([gauge(metrics), gauge(metrics)]), [[['red', 1]], [['red', 1]]]);
    time += 14_999;
    assert.deepEqual(await gauge(metrics), [['red', 1]]);
    time += 1;
    assert.deepEqual(await gauge(metrics), [['red', 2]]);
  });

  const failures: readonly [name: string, count: () => Promise<ReadonlyMap<string, number>>][] = [
    ['cannot be counted', () => Promise.reject(new Error('no API server'))],
    [
      'make the count throw',
      () => {
        throw new Error('no API server');
      },
    ],
    ['take for ever to count', () => new Promise(() => {})],
  ];
  for (const [name, count] of failures) {
    test(`are missing where they ${name}, and nothing else is`, async () => {
      const metrics = metricsOf(count);
      metrics.event('pod-changed', 'done');
      const { samples, types } = parse(await metrics.render());
      assert.deepEqual(samples, [
        { name: 'knudge_events_total', labels: { function: 'pod-changed', outcome: 'done' }, value: 1 },
      ]);
      assert.equal(types.size, all.length);
    });
  }
});
