import assert from 'node:assert/strict';
import { kubectl } from '../kube/kubectl.ts';
import { until } from '../kube/until.ts';
import { isReady, podsWith } from './processes.ts';
import { home, type Site } from './site.ts';

const eventing = 'knative-eventing';

/** What stands between a source and a function, by the label of its Pods. */
export const between = {
  ingress: { 'eventing.knative.dev/brokerRole': 'ingress' },
  filter: { 'eventing.knative.dev/brokerRole': 'filter' },
  dispatcher: { 'messaging.knative.dev/role': 'dispatcher' },
} as const;

type Label = Readonly<Record<string, string>>;

export const adapterOf = (source: string): Label => ({ 'eventing.knative.dev/sourceName': source });

const selector = (label: Label): string =>
  Object.entries(label)
    .map((pair) => pair.join('='))
    .join(',');

/** Kills the Pods with a label at once, as a machine that is switched off does. */
export async function kill(label: Label, namespace: string = eventing): Promise<void> {
  await kubectl(
    '--namespace',
    namespace,
    'delete',
    'pod',
    '--selector',
    selector(label),
    '--force',
    '--grace-period=0',
  );
}

/** Waits until Pods with a label are ready, and others than those. */
export async function untilReady(
  site: Site,
  label: Label,
  { namespace = eventing, others = [] as readonly string[], seconds = 60 } = {},
): Promise<void> {
  await until(
    `${selector(label)} is ready`,
    async () => {
      const pods = await podsWith(site, namespace, label);
      const names = pods.map(({ metadata }) => metadata.name);
      return (pods.length > 0 && pods.every(isReady) && !names.some((name) => others.includes(name))) || names;
    },
    seconds,
  );
}

/** Sets how many Pods a Deployment of Knative Eventing has, and waits until there are this many. */
export async function scale(name: string, replicas: number): Promise<void> {
  await kubectl('--namespace', eventing, 'scale', 'deployment', name, `--replicas=${String(replicas)}`);
  if (replicas > 0) await kubectl('--namespace', eventing, 'rollout', 'status', 'deployment', name, '--timeout=60s');
}

/** Takes the adapter of a source away, Pod and Deployment. */
export async function removeAdapter(source: string): Promise<void> {
  await kubectl('--namespace', home, 'delete', 'deployment', '--selector', selector(adapterOf(source)), '--wait=false');
  await kill(adapterOf(source), home);
}

/** Since when the youngest Pod of a source's adapter is ready. */
export async function adapterReadySince(site: Site, source: string): Promise<number> {
  const pods = await podsWith(site, home, adapterOf(source));
  const times = pods.filter(isReady).map(({ status }) => {
    const ready = status?.conditions?.find(({ type }) => type === 'Ready') as { readonly lastTransitionTime?: string };
    return Date.parse(ready.lastTransitionTime ?? '');
  });
  assert.ok(times.length > 0, `${source} has no adapter that is ready`);
  return Math.max(...times);
}

/** Makes a namespace, or deletes it where it is there from before: either starts the sources of all namespaces anew. */
export async function toggleNamespace(site: Site, name: string): Promise<void> {
  const path = '/api/v1/namespaces';
  const isThere = (await site.get('v1', 'Namespace', { name })) !== undefined;
  const { status } = isThere
    ? await site.api('DELETE', `${path}/${name}`)
    : await site.api('POST', path, { body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } });
  assert.ok(status < 300, `namespace ${name}: ${String(status)}`);
}
