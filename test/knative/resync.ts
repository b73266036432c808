import { resyncLease } from '../../packages/controller/domain/names.ts';
import { until } from '../kube/until.ts';
import { runKnudge } from './command-line.ts';
import { home, type Site } from './site.ts';

/** Asks for a resync until one that began after this has asked after everything: one that is under way lets no other begin. */
export async function finishedResync(site: Site): Promise<void> {
  // The API server's clock is that of this machine, and gives whole seconds.
  const asked = Math.floor(Date.now() / 1000) * 1000;
  let lastAsked = 0;
  await until(
    'a resync that began after this is over',
    async () => {
      const { body } = await site.api('GET', lease);
      const { spec } = body as { readonly spec?: { readonly renewTime?: string } };
      if (Date.parse(spec?.renewTime ?? '') >= asked) return true;
      if (Date.now() - lastAsked > askAgainMs) {
        const { code, said } = await runKnudge('resync');
        if (code !== 0) return said;
        lastAsked = Date.now();
      }
      return spec?.renewTime;
    },
    longestSeconds,
  );
}

const lease = `/apis/coordination.k8s.io/v1/namespaces/${home}/leases/${resyncLease}`;
/** A round of hundreds of objects on a machine that is very busy; there one tick after the other does not get through. */
const longestSeconds = 300;
/** A cold start and a round. */
const askAgainMs = 20_000;

/** The resourceVersion of each Message of a namespace and of each Pod, by kind and name. */
export async function versionsOf({ list }: Site, namespace: string): Promise<Readonly<Record<string, string>>> {
  const [messages, pods] = await Promise.all([
    list('myorg.dev/v1', 'Message', namespace),
    list('v1', 'Pod', namespace),
  ]);
  const pair = (kind: string) => (one: (typeof pods)[number]) =>
    [`${kind} ${one.metadata.name}`, one.metadata.resourceVersion ?? ''] as const;
  return Object.fromEntries([...messages.map(pair('Message')), ...pods.map(pair('Pod'))].sort());
}

/** What the resync has reported to people: the Messages of a namespace that no event had reported. */
export async function foundByResync({ api }: Site, namespace: string): Promise<ReadonlySet<string>> {
  const path = `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
  const { body } = await api('GET', path, { query: { limit: '2000' } });
  const { items } = body as {
    readonly items: readonly { readonly reason: string; readonly regarding: { readonly name: string } }[];
  };
  return new Set(items.filter(({ reason }) => reason === 'FoundByResync').map(({ regarding }) => regarding.name));
}
