import assert from 'node:assert/strict';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { openWebhook, type Step } from '../kube/webhook.ts';
import type { Site } from './site.ts';

export interface Meddled {
  readonly namespace: string;
  /** A selector of labels. */
  readonly selector: Readonly<Record<string, unknown>>;
  /** What becomes of a Pod that is about to be made; it is made when this is known. */
  readonly change: (pod: KubeObject) => Promise<readonly Step[]>;
}

/**
 * Changes Pods of one namespace when they are made, or holds them back for a moment: the API server asks this process.
 * Gives what ends it.
 */
export async function meddle({ api }: Site, name: string, meddled: Meddled): Promise<() => Promise<void>> {
  return openWebhook(api, name, {
    ...meddled,
    resource: 'pods',
    operations: ['CREATE'],
    probe: probe(meddled.selector),
  });
}

/** A Pod that the selector means, and that is never made. */
function probe(selector: Meddled['selector']): KubeObject & { readonly spec: unknown } {
  const { matchLabels = {}, matchExpressions = [] } = selector as {
    readonly matchLabels?: Readonly<Record<string, string>>;
    readonly matchExpressions?: readonly { readonly key: string; readonly values?: readonly string[] }[];
  };
  const others = matchExpressions.map(({ key, values }) => [key, values?.[0] ?? 'probe']);
  const labels = { ...matchLabels, ...(Object.fromEntries(others) as Record<string, string>) };
  const spec = { containers: [{ name: 'probe', image: 'none' }] };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'probe-', labels } as never, spec };
}

const container = '/spec/containers/0';

/** Nobody puts the Pod on a node, until `openGates`. */
export const unscheduled: readonly Step[] = [
  { op: 'add', path: '/spec/schedulingGates', value: [{ name: 'knudge.dev/test' }] },
];

/** The process of the Pod ends as soon as it has read its settings. */
export const crashing: readonly Step[] = [
  { op: 'add', path: `${container}/env/-`, value: { name: 'LOG_LEVEL', value: 'a level that there is not' } },
];

/** Lets what was `unscheduled` go to a node. */
export async function openGates({ api, list }: Site, namespace: string): Promise<void> {
  const pods = (await list('v1', 'Pod', namespace)) as readonly (KubeObject & {
    readonly spec?: { readonly schedulingGates?: unknown };
  })[];
  for (const { metadata, spec } of pods.filter((pod) => pod.spec?.schedulingGates !== undefined)) {
    assert.ok(spec);
    const path = `/api/v1/namespaces/${namespace}/pods/${metadata.name}`;
    const body = { spec: { schedulingGates: null } };
    const { status } = await api('PATCH', path, { body, contentType: 'application/merge-patch+json' });
    assert.ok(status === 200 || status === 404, `gates of ${metadata.name}: ${String(status)}`);
  }
}
