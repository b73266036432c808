import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { guessedPlural, versionPath } from '../../../packages/controller/domain/plural.ts';
import type { Site } from '../../../test/knative/site.ts';
import { kubectl } from '../../../test/kube/kubectl.ts';
import { until } from '../../../test/kube/until.ts';

/** The namespace of the bench's sources, its Broker and its Messages. */
export const namespace = 'bench-sources';

/** The label of each namespace that is made while a source is at work. */
export const passing = { 'knudge.dev/bench': 'passing' };

/** The name of Knudge's own Broker, so that a copy of its sources finds it. */
const broker = 'knudge';

/** The delivery of Knudge's Broker, without a dead-letter sink. */
const delivery = { retry: 3, backoffPolicy: 'exponential', backoffDelay: 'PT0.4S', timeout: 'PT14S' };

/** Makes a namespace with a Broker whose one Trigger leads to this address; the returned function removes all of it. */
export async function layGround(site: Site, uri: string): Promise<() => Promise<void>> {
  const undo = async (): Promise<void> => {
    await removeNamespaces(site, passing);
    await kubectl('delete', 'namespace', namespace, '--ignore-not-found', '--timeout=120s');
  };
  // A run that was killed may have left something.
  await undo();
  await makeNamespace(site, namespace);
  const eventing = { apiVersion: 'eventing.knative.dev/v1' };
  const annotations = { 'eventing.knative.dev/broker.class': 'MTChannelBasedBroker' };
  await make(site, {
    ...eventing,
    kind: 'Broker',
    metadata: { name: broker, namespace, annotations },
    ...{ spec: { delivery } },
  });
  await make(site, {
    ...eventing,
    kind: 'Trigger',
    metadata: { name: 'bench', namespace },
    ...{ spec: { broker, delivery, subscriber: { uri } } },
  });
  for (const one of [`broker/${broker}`, 'trigger/bench'])
    await kubectl('--namespace', namespace, 'wait', one, '--for=condition=Ready', '--timeout=90s');
  return undo;
}

/** Makes a namespace, with these labels. */
export async function makeNamespace(site: Site, name: string, labels: Readonly<Record<string, string>> = {}) {
  await make(site, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
}

/** Removes all namespaces with these labels, and waits until they are gone. */
export async function removeNamespaces(site: Site, labels: Readonly<Record<string, string>>): Promise<void> {
  const selector = Object.entries(labels)
    .map((pair) => pair.join('='))
    .join();
  await kubectl('delete', 'namespaces', '--selector', selector, '--wait=false');
  const left = async (): Promise<unknown> => {
    const { body } = await site.api('GET', '/api/v1/namespaces', { query: { labelSelector: selector } });
    return (body as { readonly items: readonly unknown[] }).items.length === 0;
  };
  await until('the namespaces of the bench are gone', left, 120);
}

/** Makes an object. In a namespace that is on its way out it waits first. */
export async function make(site: Site, object: KubeObject): Promise<void> {
  const path = collectionOf(object);
  const end = performance.now() + 60_000;
  for (;;) {
    const { status, body } = await site.api('POST', path, { body: object });
    if (status === 201) return;
    const isLeaving = status === 409 || status === 403;
    if (!isLeaving || performance.now() > end)
      throw new Error(`${object.kind} ${object.metadata.name}: ${JSON.stringify(body)}`);
    await sleep(1000);
  }
}

/** Removes an object if it is there, with what it has made. */
export async function remove(site: Site, object: KubeObject): Promise<void> {
  const path = `${collectionOf(object)}/${object.metadata.name}`;
  const { status, body } = await site.api('DELETE', path, { body: { propagationPolicy: 'Foreground' } });
  if (status > 299 && status !== 404) throw new Error(`${path}: ${JSON.stringify(body)}`);
  await until(`${path} is gone`, async () => (await site.api('GET', path)).status === 404, 90);
}

function collectionOf({ apiVersion, kind, metadata }: KubeObject): string {
  const within = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  return `${versionPath(apiVersion)}${within}/${guessedPlural(kind)}`;
}
