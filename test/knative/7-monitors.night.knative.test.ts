import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { pinnedCrds } from '../../tools/crds/pinned-crds.ts';
import { prometheusPrograms } from '../../tools/prometheus/programs.ts';
import { putCrdsOfOthers, removeCrdsOfOthers } from '../kube/crds-of-others.ts';
import { until } from '../kube/until.ts';
import { discovered } from '../prometheus/discovered.ts';
import { type Given, givenTo, prometheusIn, startOperator } from '../prometheus/operator.ts';
import { renderedGroups } from '../prometheus/rules.ts';
import { type PrometheusServer, startPrometheus } from '../prometheus/server.ts';
import { sleepSoon, untilAsleep } from './asleep.ts';
import { allReady, apply, goBack, kubectl, type Parts } from './installed.ts';
import type { Running } from './processes.ts';
import { finishedResync } from './resync.ts';
import { home, site as openSite } from './site.ts';
import { aMessageIsProcessed } from './works.ts';

const site = openSite();
const parts: Parts = { resources: ['deploy/overlays/prometheus'] };
const monitoring = 'monitoring';
const crds = pinnedCrds(['monitors', 'prometheus']);
/** A tunnel whose server is nowhere: its Envoy runs, and says what it has counted. */
const made = ['examples/server-profile.yaml', 'examples/tcp-manual-weights.yaml'].flatMap((file) => ['-f', file]);
const isFunction = ({ metadata }: Running) => metadata.labels?.['serving.knative.dev/service'] !== undefined;

describe('the overlay prometheus, with the Prometheus Operator, on real Knative', () => {
  const ends: (() => Promise<void>)[] = [];
  const atEnd = { after: (end: () => Promise<void>) => ends.push(end) };
  let given: Given;
  let pods: readonly Running[] = [];
  let prometheus: PrometheusServer;

  before(async () => {
    Object.assign(process.env, { KNUDGE_TEST_PROMETHEUS: (await prometheusPrograms(console.error)).prometheus });
    await putCrdsOfOthers(site.api, crds);
    await apply(parts);
    await allReady();
    await kubectl(['create', 'namespace', monitoring]);
    await kubectl(['apply', '--filename', '-'], JSON.stringify(prometheusIn(monitoring)));
    given = await givenTo(monitoring, site.kubeconfig, await startOperator(atEnd, site.kubeconfig));
    await kubectl(['--namespace', 'default', 'apply', ...made]);
    await until('the tunnel and the functions run', async () => {
      await aMessageIsProcessed('default');
      await finishedResync(site);
      const lists = [home, 'default'].map((namespace) => site.list('v1', 'Pod', namespace));
      pods = ((await Promise.all(lists)).flat() as readonly KubeObject[] as readonly Running[]).filter(
        ({ status }) => status?.phase === 'Running',
      );
      const names = pods.filter(isFunction).map(({ metadata }) => metadata.labels?.['serving.knative.dev/service']);
      const isTunnel = ({ metadata }: Running) => metadata.labels?.['frp.io/tunnel'] === 'database';
      const wanted = ['message-changed', 'distributed-service', 'resync-due', 'event-log'];
      return (wanted.every((name) => names.includes(name)) && pods.some(isTunnel)) || names;
    });
    const jobs = given.config.scrape_configs.map(({ kubernetes_sd_configs: searches, ...job }) => {
      const [{ namespaces } = {}] = searches as readonly {
        readonly namespaces?: { readonly names: readonly string[] };
      }[];
      const its = pods.filter(({ metadata }) => namespaces?.names.includes(metadata.namespace ?? '') ?? true);
      return { ...job, scrape_interval: '1s', scrape_timeout: '1s', static_configs: discovered(its) };
    });
    prometheus = await startPrometheus(atEnd, jobs);
  });
  after(async () => {
    for (const end of ends.toReversed()) await end();
    await kubectl(['--namespace', 'default', 'delete', '--timeout=60s', '--ignore-not-found', ...made]);
    await kubectl(['delete', 'namespace', monitoring, '--wait=false']);
    await goBack(parts);
    await removeCrdsOfOthers(crds);
  });

  it('has each function scraped at its own port, and each tunnel, and nothing else', async () => {
    const functions = pods.filter(isFunction).map(({ metadata }) => `knudge/knudge ${metadata.name} user-container`);
    const tunnels = pods
      .filter(({ metadata }) => metadata.labels?.['frp.io/tunnel'] !== undefined)
      .map(({ metadata }) => `knudge-tunnels ${metadata.name} envoy`);
    const wanted = [...functions, ...tunnels].toSorted();
    let seen: readonly string[] = [];
    await until('each is scraped once', async () => {
      const up = await prometheus.query('up');
      assert.deepEqual(
        up.filter(({ value }) => value !== 1).map(({ labels }) => labels),
        [],
      );
      seen = up.map(({ labels }) => `${String(labels['job'])} ${String(labels['pod'])} ${String(labels['container'])}`);
      return seen.length >= wanted.length || seen;
    });
    assert.deepEqual(seen.toSorted(), wanted);
  });

  it('knows of the resync by its own namespace, and of the traffic by its service', async () => {
    const traffic = '{__name__=~"envoy_.+", distributed_service="database", namespace="default"}';
    await until('both are there', async () => {
      const [resync] = await prometheus.query(`min(knudge_seconds_since_resync{namespace="${home}"})`);
      const [figures] = await prometheus.query(`count(${traffic})`);
      return (resync !== undefined && resync.value < 300 && (figures?.value ?? 0) > 10) || { resync, figures };
    });
    const isNotSeen = renderedGroups().groups.flatMap(({ rules }) =>
      rules.filter(({ alert }) => alert === 'KnudgeIsNotSeen'),
    );
    assert.equal(isNotSeen.length, 1);
    for (const { expr } of isNotSeen) assert.deepEqual(await prometheus.query(expr), []);
  });

  it('lets functions fall asleep that Prometheus asks every second', async () => {
    const its = 'up{serving_knative_dev_service="message-changed"}';
    await until('it has been asked ten times', async () => {
      const [asked] = await prometheus.query(`max(sum_over_time(${its}[10m]))`);
      return (asked?.value ?? 0) >= 10 || asked;
    });
    const putBack = await sleepSoon(site);
    try {
      await untilAsleep(site, ['message-changed'], 60);
    } finally {
      await putBack();
    }
    // Its last Pod answers for as long as Knative's queue-proxy drains.
    await until(
      'Prometheus finds nobody there',
      async () => {
        const now = await prometheus.query(its);
        return (now.length > 0 && now.every(({ value }) => value === 0)) || now;
      },
      90,
    );
  });
});
