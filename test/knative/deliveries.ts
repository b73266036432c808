import assert from 'node:assert/strict';
import { until } from '../kube/until.ts';
import { home, type Site } from './site.ts';

interface Trigger {
  readonly metadata: { readonly generation: number };
  readonly spec: { readonly delivery: Delivery };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

interface Delivery {
  readonly retry: number;
  readonly timeout: string;
}

/** Two tries, three seconds for each: 6.4 s in all. */
const shortly: Delivery = { retry: 1, timeout: 'PT3S' };

const pathOf = (name: string): string => `/apis/eventing.knative.dev/v1/namespaces/${home}/triggers/${name}`;

/** Lets Triggers give up an event after seconds; what it gives puts back how they try. */
export async function giveUpSoon(site: Site, names: readonly string[]): Promise<() => Promise<void>> {
  const before = await Promise.all(names.map(async (name) => (await triggerOf(site, name)).spec.delivery));
  const set = async (name: string, { retry, timeout }: Delivery): Promise<void> => {
    const options = { body: { spec: { delivery: { retry, timeout } } }, contentType: 'application/merge-patch+json' };
    const { status, body } = await site.api('PATCH', pathOf(name), options);
    assert.equal(status, 200, JSON.stringify(body));
    await until(`Trigger ${name} tries as it should`, () => isDone(site, name, timeout), 30);
  };
  await Promise.all(names.map((name) => set(name, shortly)));
  return async () => {
    await Promise.all(names.map((name, at) => set(name, before[at] ?? assert.fail(name))));
  };
}

async function triggerOf({ api }: Site, name: string): Promise<Trigger> {
  return (await api('GET', pathOf(name))).body as Trigger;
}

/** The Trigger has seen it, and the channel that delivers for it has. */
async function isDone(site: Site, name: string, timeout: string): Promise<boolean> {
  const { metadata, status } = await triggerOf(site, name);
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  if (status?.observedGeneration !== metadata.generation || ready !== 'True') return false;
  const path = `/apis/messaging.knative.dev/v1/namespaces/${home}/subscriptions`;
  const { items } = (await site.api('GET', path)).body as { readonly items: readonly Subscription[] };
  const own = items.find(({ metadata: { ownerReferences = [] } }) =>
    ownerReferences.some((owner) => owner.kind === 'Trigger' && owner.name === name),
  );
  return own?.spec.delivery?.timeout === timeout;
}

interface Subscription {
  readonly metadata: { readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[] };
  readonly spec: { readonly delivery?: { readonly timeout?: string } };
}
