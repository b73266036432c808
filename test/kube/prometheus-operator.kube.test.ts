import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse, stringify } from 'yaml';
import { pinnedCrds } from '../../tools/crds/pinned-crds.ts';
import { kubectlFor } from '../../tools/knative/kubectl.ts';
import { prometheusPrograms } from '../../tools/prometheus/programs.ts';
import { type Given, givenTo, type Job, jobNames, prometheusIn, startOperator } from '../prometheus/operator.ts';
import { runPromtool } from '../prometheus/promtool.ts';
import { scrapeOf } from '../prometheus/relabelled.ts';
import { renderedGroups } from '../prometheus/rules.ts';
import { apiFrom, testKubeconfig } from './api.ts';
import { putCrdsOfOthers, removeCrdsOfOthers } from './crds-of-others.ts';
import { kustomized } from './kustomized.ts';

const kubeconfig = testKubeconfig();
const kubectl = kubectlFor(kubeconfig);
const crds = pinnedCrds(['monitors', 'prometheus']);
const namespaces = ['knudge', 'monitoring'];

/** What Prometheus does where a configuration says nothing. */
const usual = {
  honor_timestamps: true,
  follow_redirects: true,
  sample_limit: 0,
  label_limit: 0,
  label_name_length_limit: 0,
  label_value_length_limit: 0,
  body_size_limit: '0',
  metric_relabel_configs: [],
};

/** How the operator writes a rule of relabelling that says nothing of its action. */
const replaced = (rule: object) => ({ action: 'replace', ...rule });

describe('the Prometheus Operator, on the component prometheus', () => {
  let given: Given;
  const ends: (() => Promise<void>)[] = [];
  before(async () => {
    await putCrdsOfOthers(apiFrom(kubeconfig), crds);
    const objects = await kustomized('deploy/overlays/prometheus');
    const ours = objects.filter(({ apiVersion }) => apiVersion.startsWith('monitoring.coreos.com/'));
    const homes = namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
    const all = [...homes, ...ours, prometheusIn('monitoring')];
    await kubectl(['apply', '--filename', '-'], all.map((object) => stringify(object)).join('---\n'));
    const said = await startOperator({ after: (end) => ends.push(end) }, kubeconfig);
    given = await givenTo('monitoring', kubeconfig, said);
  });
  after(async () => {
    for (const end of ends) await end();
    await removeCrdsOfOthers(crds);
    await kubectl(['delete', 'namespace', 'monitoring', '--wait=false']);
  });

  it('has a Prometheus scrape what each PodMonitor says, as the tests of alerts and dashboards do', () => {
    const jobs = given.config.scrape_configs;
    assert.deepEqual(jobs.map(({ job_name: name }) => name).toSorted(), jobNames.toSorted());
    for (const job of jobs) {
      const { job_name: _, static_configs: __, relabel_configs: ours, ...settings } = scrapeOf(nameOf(job), []);
      const its = { ...usual, ...job };
      const same = Object.fromEntries(Object.keys(settings).map((key) => [key, its[key as keyof typeof its]]));
      assert.deepEqual(same, settings, job.job_name);
      assert.deepEqual(ownRules(job), ours.map(replaced), job.job_name);
    }
  });

  it('takes every rule, and hands it on as it is', () => {
    const [text = '', ...others] = given.rules;
    assert.deepEqual(others, []);
    assert.deepEqual(parse(text), renderedGroups());
  });

  it('has Prometheus look for our Pods in their namespace, and for tunnels in all', () => {
    const searches = given.config.scrape_configs.map((job) => [nameOf(job), job['kubernetes_sd_configs']]);
    const own = [{ role: 'pod', namespaces: { names: ['knudge'] } }];
    assert.deepEqual(Object.fromEntries(searches), {
      knudge: own,
      'knudge-source': own,
      'knudge-tunnels': [{ role: 'pod' }],
    });
  });

  // All but how it finds Pods: Debian builds Prometheus without that.
  it('writes nothing else for which Prometheus does not start', async () => {
    const { promtool } = await prometheusPrograms(console.error);
    process.env['KNUDGE_TEST_PROMTOOL'] = promtool;
    const folder = mkdtempSync(join(tmpdir(), 'knudge-prometheus-'));
    try {
      const [rules, config] = ['rules.yaml', 'prometheus.yaml'].map((name) => join(folder, name)) as [string, string];
      writeFileSync(rules, given.rules.join(''));
      const jobs = given.config.scrape_configs.map(({ kubernetes_sd_configs: _, ...job }) => job);
      writeFileSync(config, stringify({ ...given.config, scrape_configs: jobs, rule_files: [rules] }));
      const { status, said } = runPromtool(['check', 'config', config]);
      assert.equal(status, 0, said);
      assert.match(said, /1 rule files found[\s\S]* 8 rules found/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** The PodMonitor of a job. */
function nameOf({ job_name: name }: Job): string {
  return name.split('/')[2] ?? '';
}

/** What the PodMonitor itself says, between what the operator says of each: the endpoint comes before, the shard after. */
function ownRules({ relabel_configs: rules }: Job): readonly object[] {
  const first = rules.findIndex(({ target_label: target }) => target === 'endpoint') + 1;
  const end = rules.findIndex(({ target_label: target }) => target === '__tmp_hash');
  assert.ok(first > 0 && end >= first, JSON.stringify(rules));
  return rules.slice(first, end);
}
