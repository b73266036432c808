import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { serve } from '../../packages/controller/test/cluster/loopback.ts';
import { freePort } from '../../packages/mesh/pods/free-port.ts';
import { collectorProgram } from '../../tools/collector/collector.ts';
import { until } from '../kube/until.ts';

/** A span as a collector hands it on, with the name of its process. */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentSpanId: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: Readonly<Record<string, string>>;
}

export interface Collector {
  /** Takes OTLP over HTTP. */
  readonly url: string;
  /** What it has handed on. */
  spans(): readonly CollectedSpan[];
}

/** A real OpenTelemetry Collector for one test, at an address of this machine; it hands on what it gets. */
export async function startCollector(context: TestContext, host = '127.0.0.1'): Promise<Collector> {
  const program = await collectorProgram(console.log);
  const behind = await serve(context, () => ({ body: '{}' }));
  const url = `http://${host}:${String(await freePort(0))}`;
  const dir = mkdtempSync(join(tmpdir(), 'knudge-collector-'));
  context.after(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'collector.json');
  writeFileSync(file, JSON.stringify(configOf(new URL(url).host, behind.url)));
  const child = spawn(program, ['--config', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  context.after(() => child.kill('SIGKILL'));
  await until('the collector listens', async () => {
    if (child.exitCode !== null) throw new Error(`the collector ended: ${said}`);
    return (await fetch(`${url}/v1/traces`)).status === 405;
  });
  return { url, spans: () => behind.seen.flatMap(({ body }) => spansIn(JSON.parse(body) as Request)) };
}

function configOf(endpoint: string, behind: string): object {
  const exporter = { endpoint: behind, encoding: 'json', compression: 'none' };
  return {
    receivers: { otlp: { protocols: { http: { endpoint } } } },
    exporters: { otlphttp: exporter },
    service: {
      telemetry: { metrics: { level: 'none' } },
      pipelines: { traces: { receivers: ['otlp'], exporters: ['otlphttp'] } },
    },
  };
}

interface Pair {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface RawSpan extends Omit<CollectedSpan, 'service' | 'attributes' | 'links' | 'parentSpanId'> {
  readonly attributes?: readonly Pair[];
  readonly links?: CollectedSpan['links'];
  readonly parentSpanId?: string;
}

interface Request {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Pair[] };
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
}

function spansIn({ resourceSpans }: Request): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const { 'service.name': service = '' } = textsOf(resource.attributes);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes = [], ...span }) => ({
        ...span,
        service,
        links: span.links ?? [],
        parentSpanId: span.parentSpanId ?? '',
        attributes: textsOf(attributes),
      })),
    );
  });
}

function textsOf(pairs: readonly Pair[]): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, String(Object.values(value)[0])]));
}
