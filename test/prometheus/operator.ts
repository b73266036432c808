import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { prometheusOperatorProgram } from '../../tools/prometheus-operator/program.ts';
import { apiFrom } from '../kube/api.ts';
import { until } from '../kube/until.ts';

/** A job as the operator writes it. */
export type Job = Readonly<Record<string, unknown>> & {
  readonly job_name: string;
  readonly relabel_configs: readonly Readonly<Record<string, unknown>>[];
};

/** What the Prometheus Operator gives a Prometheus: its configuration, and the text of each file of rules. */
export interface Given {
  readonly config: { readonly rule_files: readonly string[]; readonly scrape_configs: readonly Job[] };
  readonly rules: readonly string[];
}

/** A Prometheus of Debian's version, which takes every PodMonitor and every rule of the cluster, as people write one. */
export function prometheusIn(namespace: string): KubeObject {
  const all = { podMonitorSelector: {}, podMonitorNamespaceSelector: {}, ruleSelector: {}, ruleNamespaceSelector: {} };
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'Prometheus',
    metadata: { name: 'all', namespace },
    spec: { version: 'v2.42.0', replicas: 0, ...all },
  } as KubeObject;
}

/** Starts the Prometheus Operator, which ends with the test; the result is what it has said so far. */
export async function startOperator(
  context: { after(work: () => Promise<void>): unknown },
  kubeconfig: string,
): Promise<() => string> {
  const program = await prometheusOperatorProgram((line) => console.error(line));
  const child = spawn(program, ['--web.listen-address=127.0.0.1:0'], {
    env: { KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  context.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  });
  return () => said;
}

/** The PodMonitors of the component `prometheus`, as the jobs that the operator makes of them are called. */
export const jobNames = ['knudge', 'knudge-source', 'knudge-tunnels'].map((name) => `podMonitor/knudge/${name}/0`);

/** What the operator has made for such a Prometheus, as soon as each PodMonitor of ours has a job. */
export async function givenTo(namespace: string, kubeconfig: string, said: () => string): Promise<Given> {
  const api = apiFrom(kubeconfig);
  const read = async (path: string): Promise<Readonly<Record<string, string>>> => {
    const { status, body } = await api('GET', `/api/v1/namespaces/${namespace}/${path}`);
    return status === 200 ? ((body as { readonly data?: Readonly<Record<string, string>> }).data ?? {}) : {};
  };
  let given: Given | undefined;
  await until(
    'the Prometheus Operator has made a configuration of the PodMonitors and the rules',
    async () => {
      const { 'prometheus.yaml.gz': packed = '' } = await read('secrets/prometheus-all');
      const rules = await read('configmaps/prometheus-all-rulefiles-0');
      if (packed === '' || Object.keys(rules).length === 0) return said().slice(-1500);
      const text = gunzipSync(Buffer.from(packed, 'base64')).toString();
      // In a Pod the operator's config-reloader puts the number of the shard there.
      given = { config: parse(text.replaceAll('$(SHARD)', '0')) as Given['config'], rules: Object.values(rules) };
      const jobs = given.config.scrape_configs.map(({ job_name: job }) => job);
      return jobNames.every((name) => jobs.includes(name)) || jobs;
    },
    60,
  );
  assert.ok(given);
  return given;
}
