import assert from 'node:assert/strict';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { until } from '../kube/until.ts';
import { home, type Site } from './site.ts';

/** The least that Knative takes. A whole suite would else wait a minute and a half each time. */
const soon = { 'stable-window': '6s', 'scale-to-zero-grace-period': '6s' };

const settings = '/api/v1/namespaces/knative-serving/configmaps/config-autoscaler';

/** Lets functions fall asleep after seconds; what it gives puts the cluster's settings back. */
export async function sleepSoon({ api }: Site): Promise<() => Promise<void>> {
  const { body } = await api('GET', settings);
  const before = (body as { readonly data?: Readonly<Record<string, string>> }).data ?? {};
  const set = async (data: Readonly<Record<string, string | null>>): Promise<void> => {
    const options = { body: { data }, contentType: 'application/merge-patch+json' };
    const { status, body: told } = await api('PATCH', settings, options);
    assert.equal(status, 200, JSON.stringify(told));
  };
  await set(soon);
  return () => set(Object.fromEntries(Object.keys(soon).map((key) => [key, before[key] ?? null])));
}

interface Scaled extends KubeObject {
  readonly spec: { readonly replicas?: number };
}

const ofService = 'serving.knative.dev/service';

/** The functions that have a process, or get one just now. The event log always has. */
export async function awake(site: Site): Promise<readonly string[]> {
  const deployments = (await site.list('apps/v1', 'Deployment', home)) as readonly Scaled[];
  const names = deployments
    .filter(({ metadata, spec }) => metadata.labels?.[ofService] !== undefined && spec.replicas !== 0)
    .map(({ metadata }) => metadata.labels?.[ofService] ?? '');
  return [...new Set(names)].filter((name) => name !== 'event-log').sort();
}

/** Waits until these functions have no process: all, if absent. */
export async function untilAsleep(site: Site, names?: readonly string[], seconds = 60): Promise<void> {
  // Six seconds of silence, as long again for those on their way, the autoscaler's rounds of two, and a resync in between.
  const isSo = async (): Promise<unknown> => {
    const left = (await awake(site)).filter((name) => names?.includes(name) ?? true);
    return left.length === 0 || left;
  };
  await until('functions are asleep', isSo, seconds);
}
