import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { until } from '../kube/until.ts';
import { type CollectedSpan, startCollector } from './collector.ts';
import { startProcess } from './running-mesh.ts';

const run = promisify(execFile);
const namespace = 'traced';

const isWrite = ({ kind, attributes }: CollectedSpan): boolean =>
  kind === 3 && attributes['http.request.method'] !== 'GET';
const versionOf = ({ attributes }: CollectedSpan): string =>
  `${String(attributes['knudge.object.uid'])}/${String(attributes['knudge.object.version'])}`;
const isAdded =
  (kind: string) =>
  ({ name, attributes }: CollectedSpan) =>
    name.startsWith('process ') && attributes['knudge.object.kind'] === kind && attributes['knudge.verb'] === 'added';

/** From one trace to another: of a write to that of its event, and of an event to that of a run that another one began. */
function stepsIn(spans: readonly CollectedSpan[]): readonly (readonly [from: string, to: string])[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  return spans.flatMap(({ traceId, links }) =>
    links
      .flatMap(({ spanId }) => byId.get(spanId) ?? [])
      .map((to): readonly [string, string] =>
        to.name.startsWith('reconcile ') ? [traceId, to.traceId] : [to.traceId, traceId],
      ),
  );
}

/** The spans of the traces that came of one. */
function cameOf(first: string, spans: readonly CollectedSpan[]): readonly CollectedSpan[] {
  const steps = stepsIn(spans);
  const traces = new Set([first]);
  for (let before = 0; before < traces.size; ) {
    before = traces.size;
    for (const [from, to] of steps) if (traces.has(from)) traces.add(to);
  }
  return spans.filter(({ traceId }) => traces.has(traceId));
}

test('from a kubectl apply to the last write, through a real collector', async (context) => {
  const collector = await startCollector(context);
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = collector.url;
  const mesh = await startProcess('--idle', '30');
  context.after(mesh.remove);
  const kubectl = (...args: readonly string[]) => run('kubectl', [`--kubeconfig=${mesh.state.kubeconfig}`, ...args]);
  const has = (name: string) => () => Promise.resolve(collector.spans().some((span) => span.name === name));
  await until('the first resync is over', has('process resync-due'));
  await kubectl('create', 'namespace', namespace);
  for (const file of ['server-profile', 'http-auto', 'message-hello'])
    await kubectl('apply', '--namespace', namespace, '--filename', `examples/${file}.yaml`);
  await until('the tunnel is written', has('create deployments'), 60);
  await until('the Pod of the Message is written', has('create pods'), 60);
  let [before, now] = [-1, 0];
  const isQuiet = async () => {
    await sleep(3000);
    [before, now] = [now, collector.spans().length];
    return before === now;
  };
  await until('nothing comes any more', isQuiet, 90);
  mesh.signal('SIGTERM');
  await mesh.ended();
  const spans = collector.spans();
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const parentOf = ({ parentSpanId }: CollectedSpan) => byId.get(parentSpanId);

  await context.test('no span is an orphan: its parent is there, in the same trace', () => {
    assert.equal(byId.size, spans.length, 'an id is there twice');
    const below = spans.filter(({ parentSpanId }) => parentSpanId !== '');
    assert.ok(below.length > 50);
    const orphans = below.filter((span) => parentOf(span)?.traceId !== span.traceId);
    assert.deepEqual(orphans, []);
  });

  await context.test('each write is below its run, the run below an event, and that below its way', () => {
    const writes = spans.filter(isWrite);
    assert.ok(writes.length >= 8, String(writes.length));
    for (const write of writes) {
      const above = parentOf(write);
      assert.match(above?.name ?? '', /^reconcile (Message|DistributedService)$/, write.name);
      const event = above && parentOf(above);
      assert.match(event?.name ?? '', /^process /, write.name);
      assert.match((event && parentOf(event))?.name ?? '', /^send /, write.name);
    }
  });

  await context.test('an event is linked with the write that made its version, whichever process wrote it', () => {
    const writers = new Map(spans.filter(isWrite).map((span) => [versionOf(span), span]));
    const events = spans.filter(
      ({ name, attributes }) => name.startsWith('process ') && 'knudge.object.uid' in attributes,
    );
    const written = events.filter((event) => writers.has(versionOf(event)));
    assert.ok(written.length >= 6, `${String(written.length)} of ${String(events.length)}`);
    const across = written.filter((event) => writers.get(versionOf(event))?.service !== event.service);
    assert.ok(across.length > 0, 'an event came to another process than the one that wrote');
    for (const event of written) {
      const targets = event.links.map(({ spanId }) => byId.get(spanId));
      const reached = targets.flatMap((one) =>
        one?.name === 'written' ? one.links.map((link) => byId.get(link.spanId)) : one,
      );
      assert.ok(reached.includes(writers.get(versionOf(event))), `${event.service} ${event.name} ${versionOf(event)}`);
    }
  });

  await context.test('a link leads somewhere, but to a write of somebody else in the same second', () => {
    const known = new Set(spans.filter(isWrite).map(versionOf));
    const loose = spans.filter(({ links }) => links.some(({ spanId }) => !byId.has(spanId)));
    for (const span of loose) assert.ok(!known.has(versionOf(span)), span.name);
  });

  for (const kind of ['Message', 'DistributedService']) {
    await context.test(`one trace goes from the apply of a ${kind} to its last status`, () => {
      const applied = spans.find(isAdded(kind));
      assert.ok(applied);
      const root = spans.find(({ traceId, parentSpanId }) => traceId === applied.traceId && parentSpanId === '');
      assert.deepEqual([root?.service, root?.name.startsWith('send broker')], ['mesh', true]);
      const isStatus = ({ name }: CollectedSpan): boolean => name === `status ${kind.toLowerCase()}s/status`;
      const statuses = spans
        .filter(isStatus)
        .toSorted((one, other) => (one.endTimeUnixNano < other.endTimeUnixNano ? -1 : 1));
      const all = cameOf(applied.traceId, spans);
      assert.ok(statuses.length > 0);
      for (const status of statuses) assert.ok(all.includes(status), 'a status that is in no trace of the apply');
      const child = kind === 'Message' ? 'create pods' : 'create deployments';
      assert.ok(all.some(({ name }) => name === child));
    });
  }
});
