import { object } from '../build/objects.ts';
import { until } from '../kube/until.ts';
import { home, type Site } from './site.ts';

/** The namespaces of these tests. They stay: to make or delete one anywhere restarts the sources, which costs seconds. */
export const places = { scenes: 'scenes', tunnels: 'tunnels', events: 'ev' } as const;

const names = Object.values(places);

/** Makes them, where nothing is installed yet that would start anew. */
export async function makePlaces(site: Site): Promise<void> {
  for (const name of names) await site.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

/** Makes those that are not there; the sources watch all of them when it returns. */
export async function openPlaces(site: Site): Promise<void> {
  const there = await Promise.all(names.map((name) => site.get('v1', 'Namespace', { name })));
  if (there.every((found) => found !== undefined)) return;
  await makePlaces(site);
  await until('the sources know the namespaces', () => haveRolled(site), 60);
  await untilWatched(site);
}

interface Adapter {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>>; readonly generation?: number };
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } };
  readonly status?: Readonly<Record<string, number | undefined>>;
}

interface Container {
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
}

/** Knative writes the names of all namespaces into the environment of a source that watches every one. */
async function haveRolled(site: Site): Promise<unknown> {
  const all = (await site.list('apps/v1', 'Deployment', home)) as readonly unknown[] as readonly Adapter[];
  const left = all
    .filter(({ metadata }) => metadata.labels?.['eventing.knative.dev/sourceName'] !== undefined)
    .filter((adapter) => !(isWhole(adapter) && knows(adapter)));
  return left.length === 0 || left.map(({ status }) => status);
}

function isWhole({ metadata, status = {} }: Adapter): boolean {
  const { observedGeneration, replicas, updatedReplicas, availableReplicas } = status;
  return (
    observedGeneration === metadata.generation && [replicas, updatedReplicas, availableReplicas].every((n) => n === 1)
  );
}

function knows({ spec }: Adapter): boolean {
  const env = spec.template.spec.containers.flatMap((container) => container.env ?? []);
  const config = env.find(({ name }) => name === 'K_SOURCE_CONFIG')?.value ?? '{}';
  const { namespaces, allNamespaces } = JSON.parse(config) as { namespaces: readonly string[]; allNamespaces: boolean };
  return !allNamespaces || names.every((name) => namespaces.includes(name));
}

/** A new adapter is Ready before it watches: a Message each second, until one of them has been seen. */
async function untilWatched(site: Site): Promise<void> {
  const namespace = places.scenes;
  let made = 0;
  await until(
    'an event arrives',
    async () => {
      made += 1;
      const name = `seen-${String(made)}`;
      const hello = object('myorg.dev/v1 Message', name, { metadata: { namespace }, spec: { text: 'seen?' } });
      await site.put(hello);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const pods = await site.list('v1', 'Pod', namespace);
      return pods.some(({ metadata }) => metadata.name.startsWith('msg-seen-'));
    },
    60,
  );
  await site.api('DELETE', `/apis/myorg.dev/v1/namespaces/${namespace}/messages`);
}
