import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { place } from '../../tools/control-plane/node/place.ts';
import { message } from '../build/objects.ts';
import { until } from '../kube/until.ts';
import { type CollectedSpan, startCollector } from '../mesh/collector.ts';
import { fencesOf } from './fences.ts';
import { allReady, apply, goBack, kubectl } from './installed.ts';
import { openPlaces, places } from './places.ts';
import { home, site as openSite } from './site.ts';

const site = openSite();
const run = promisify(execFile);
const [namespace, name] = [places.scenes, 'traced'];
const page = 'docs/traces.md';
const eventing = ['--namespace', 'knative-eventing'] as const;

/** A command or a manifest of the page, with the address of a collector in the place of that of its example. */
function withCollector(text: string, url: string): string {
  const replaced = text.replaceAll('http://collector.observability:4318', url);
  assert.notEqual(replaced, text);
  return replaced;
}

/** From a span up to the first of its trace. */
function wayTo(span: CollectedSpan, spans: readonly CollectedSpan[]): readonly CollectedSpan[] {
  const above = spans.find(({ spanId, traceId }) => spanId === span.parentSpanId && traceId === span.traceId);
  return above === undefined ? [span] : [...wayTo(above, spans), span];
}

const isAdded =
  (kind: string, object: string) =>
  ({ name: span, attributes }: CollectedSpan): boolean =>
    span.startsWith('process ') &&
    attributes['knudge.verb'] === 'added' &&
    attributes['knudge.object.kind'] === kind &&
    attributes['knudge.object.name'] === object;

test('on real Knative, by the words of the page, one trace goes from the source through the Broker to each write', async (context) => {
  await openPlaces(site);
  const collector = await startCollector(context, place.host);
  const [commands = ''] = fencesOf(page, 'bash', 'Knative');
  const [patch = ''] = fencesOf(page, 'yaml', 'Knative');
  const { patches } = parse(withCollector(patch, collector.url)) as { readonly patches: readonly object[] };
  context.after(async () => {
    const off = '{"data": {"tracing-protocol": null, "tracing-endpoint": null, "tracing-sampling-rate": null}}';
    await kubectl([...eventing, 'patch', 'configmap', 'config-observability', '--type', 'merge', '--patch', off]);
    await kubectl(['--namespace', namespace, 'delete', 'messages.myorg.dev', name, '--timeout=60s']);
    await kubectl([...eventing, 'rollout', 'restart', 'deployment']);
    await goBack({ resources: ['deploy'] });
  });
  const env = { ...process.env, KUBECONFIG: site.kubeconfig };
  await run('bash', ['-euo', 'pipefail', '-c', withCollector(commands, collector.url)], { env });
  await apply({ resources: ['deploy'], patches });
  await until('the adapters of the sources know the collector', async () => {
    const adapters = await site.list('apps/v1', 'Deployment', home);
    const left = adapters
      .filter(({ metadata }) => metadata.labels?.['eventing.knative.dev/sourceName'] !== undefined)
      .filter((adapter) => !JSON.stringify(adapter).includes(collector.url));
    return left.length === 0 || left.map(({ metadata }) => metadata.name);
  });
  await kubectl([...eventing, 'rollout', 'status', 'deployment', '--timeout=120s']);
  await allReady();

  await site.put(message(name, 'hello', { namespace }));
  let way: readonly CollectedSpan[] = [];
  let made: CollectedSpan | undefined;
  await until(
    'the collector has the whole way of the Message, and what came of its Pod',
    async () => {
      const spans = collector.spans();
      const added = spans.find((span) => isAdded('Message', name)(span));
      way = added === undefined ? [] : wayTo(added, spans);
      made = spans.find((span) => isAdded('Pod', `msg-${name}`)(span));
      return (
        (way[0]?.parentSpanId === '' && made !== undefined) || [spans.length, ...way.map(({ service }) => service)]
      );
    },
    90,
  );
  const spans = collector.spans();

  await context.test('from the source by the Broker to the function, each below the one before it', () => {
    const services = way.map(({ service }) => service).filter((service, at, all) => service !== all[at - 1]);
    const knative = ['apiserversource', 'broker.ingress', 'inmemorychannel-dispatcher', 'broker.filter'];
    assert.deepEqual(services, [...knative, 'message-changed']);
    const ids = new Set(way.map(({ spanId }) => spanId));
    const below = spans.filter(({ parentSpanId }) => ids.has(parentSpanId)).map(({ spanId }) => spanId);
    const writes = spans.filter(({ parentSpanId, kind }) => below.includes(parentSpanId) && kind === 3);
    const names = writes.map((span) => span.name);
    for (const write of ['create pods', 'status messages/status']) assert.ok(names.includes(write), names.join(', '));
  });

  await context.test('the event of the Pod that was made has a trace of its own, with a link to the write', () => {
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    const reached = (made?.links ?? []).flatMap(({ spanId }) => {
      const to = byId.get(spanId);
      return to?.name === 'written' ? to.links.map((link) => byId.get(link.spanId)?.name) : to?.name;
    });
    assert.deepEqual(reached, ['create pods']);
    const [source] = wayTo(made as CollectedSpan, spans);
    assert.notEqual(source?.traceId, way[0]?.traceId);
  });
});
