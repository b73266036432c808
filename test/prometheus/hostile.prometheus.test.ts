import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../kube/until.ts';
import { figures, forged, servePod } from './hostile-pod.ts';
import { monitorOf, scrapeOf, type Target } from './relabelled.ts';
import { renderedGroups } from './rules.ts';
import { type PrometheusServer, startPrometheus } from './server.ts';

const rules = renderedGroups().groups.flatMap((group) => group.rules);
const tunnel = (namespace: string, pod: string, address: string): Target => ({
  namespace,
  pod,
  address,
  labels: { 'frp.io/tunnel': pod },
});
const up = (server: PrometheusServer, pod: string) => async (): Promise<number | undefined> =>
  (await server.query(`up{pod="${pod}"}`))[0]?.value;

describe('a Pod of a tenant that looks like a tunnel', () => {
  it('changes no alert by what it exports, even where its names were let in', async (context) => {
    const own = ['knudge_seconds_since_resync 4000', 'knudge_source_lag_seconds 0', 'knudge_source_blind_watches 0'];
    const knudge = await servePod(context, () => figures(own));
    const bad = await servePod(context, () => figures([...forged, 'up 0', 'envoy_http_downstream_rq_total 7']));
    const { metric_relabel_configs: _, ...letIn } = scrapeOf('knudge-tunnels', [tunnel('rival', 'bare', bad.address)]);
    const server = await startPrometheus(context, [
      scrapeOf('knudge', [{ address: knudge.address, namespace: 'knudge', pod: 'resync-due', labels: {} }]),
      scrapeOf('knudge-tunnels', [tunnel('tenant', 'bad', bad.address)]),
      { ...letIn, job_name: 'without what keeps its names out' },
    ]);
    const isLate = rules.find(({ alert }) => alert === 'KnudgeResyncIsLate')?.expr ?? '';
    const counted = 'min(count_over_time(envoy_http_downstream_rq_total[10m]))';
    const enough = async (): Promise<boolean> => ((await server.query(counted))[0]?.value ?? 0) >= 16;
    await until('Prometheus has seen both for as long as a rule looks at', enough, 60);
    assert.equal((await server.query('knudge_seconds_since_resync{namespace="rival"}')).length, 1);
    const firing: string[] = [];
    for (const { alert, expr } of rules) if ((await server.query(expr)).length > 0) firing.push(alert);
    assert.deepEqual(firing, ['KnudgeResyncIsLate'], isLate);
    const names = new Set((await server.query('{namespace="tenant"}')).map(({ labels }) => labels['__name__']));
    const kept = [...names].filter((name) => !/^scrape_/.test(name ?? '')).toSorted();
    assert.deepEqual(kept, ['envoy_http_downstream_rq_total', 'up']);
    assert.equal(await up(server, 'bad')(), 1);
  });

  it('gives itself neither labels nor times of others', async (context) => {
    const labels = 'namespace="shop",job="other",pod="other",distributed_service="other"';
    const pod = await servePod(context, () => figures([`envoy_x{${labels}} 7 ${String(Date.now() + 300_000)}`]));
    const server = await startPrometheus(context, [scrapeOf('knudge-tunnels', [tunnel('tenant', 'own', pod.address)])]);
    await until('it is scraped', async () => (await server.query('envoy_x')).length > 0, 60);
    const [sample] = await server.query('envoy_x');
    const { namespace, job, pod: its, distributed_service: service } = sample?.labels ?? {};
    assert.deepEqual([namespace, job, its, service], ['tenant', 'knudge-tunnels', 'own', 'own']);
    const [ahead] = await server.query('max(timestamp(envoy_x)) - time()');
    assert.ok((ahead?.value ?? Number.NaN) <= 0, JSON.stringify(ahead));
  });

  it('cannot send Prometheus elsewhere, and is not read where it says too much', async (context) => {
    const inner = await servePod(context, () => figures(['envoy_inner 1']));
    const answers: Readonly<Record<string, () => string | { readonly location: string }>> = {
      elsewhere: () => ({ location: `http://${inner.address}/metrics` }),
      samples: () => figures(Array.from({ length: 1001 }, (_, n) => `envoy_s{n="${String(n)}"} 1`)),
      labels: () => figures([`envoy_l{${Array.from({ length: 32 }, (_, n) => `l${String(n)}="1"`).join(',')}} 1`]),
      names: () => figures([`envoy_n{${'n'.repeat(129)}="1"} 1`]),
      values: () => figures([`envoy_v{v="${'v'.repeat(300)}"} 1`]),
      body: () => figures([`# ${'b'.repeat(2_000_000)}`, 'envoy_b 1']),
      right: () => figures(['envoy_right 1']),
    };
    const targets = await Promise.all(
      Object.entries(answers).map(async ([pod, answer]) =>
        tunnel('tenant', pod, (await servePod(context, answer)).address),
      ),
    );
    const server = await startPrometheus(context, [scrapeOf('knudge-tunnels', targets)]);
    const seen = async (): Promise<boolean> => (await server.query('up')).length === targets.length;
    await until('each is scraped', seen, 60);
    for (const pod of Object.keys(answers)) assert.equal(await up(server, pod)(), pod === 'right' ? 1 : 0, pod);
    assert.equal(inner.asked(), 0);
    const names = (await server.query('{__name__=~"envoy_.*"}')).map(({ labels }) => labels['__name__']);
    assert.deepEqual(names, ['envoy_right']);
  });

  it('makes no scrape last until the next', () => {
    const [{ interval, scrapeTimeout = '' }] = monitorOf('knudge-tunnels').spec.podMetricsEndpoints;
    assert.ok(Number.parseInt(scrapeTimeout, 10) < Number.parseInt(interval, 10), `${scrapeTimeout} of ${interval}`);
  });
});
