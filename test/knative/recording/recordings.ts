import { setTimeout as sleep } from 'node:timers/promises';
import { kubectlFor } from '../../../tools/knative/kubectl.ts';
import { until } from '../../kube/until.ts';
import { openPlaces, places } from '../places.ts';
import type { Site } from '../site.ts';
import { happen } from './happenings.ts';
import { subjects } from './objects.ts';
import { plumbing, ways } from './plumbing.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type RecordingName, wanted } from './wanted.ts';

export interface Recording {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const { events: namespace } = places;

/** Lets everything happen that is recorded, on real Knative, and gives each recording by its name. */
export async function recordEvents(site: Site): Promise<ReadonlyMap<RecordingName, Recording>> {
  await openPlaces(site);
  const kubectl = kubectlFor(site.kubeconfig);
  const receiver = await startReceiver();
  try {
    await kubectl(['apply', '--filename', '-'], listOf(plumbing));
    const kinds = 'brokers,triggers,apiserversources,pingsources';
    await kubectl(['--namespace', namespace, 'wait', kinds, '--all', '--for=condition=Ready', '--timeout=150s']);
    await untilWatched(site, receiver);
    await happen(site, (name) => receiver.came(name, wanted[name]));
    const names = Object.keys(wanted) as readonly RecordingName[];
    const found = names.map(async (name) => {
      const { headers, body } = await receiver.came(name, wanted[name]);
      return [name, { headers, body }] as const;
    });
    return new Map(await Promise.all(found));
  } finally {
    const made = [...Object.values(subjects).map((one) => (typeof one === 'function' ? one('t400') : one))];
    await kubectl(['delete', '--ignore-not-found', '--wait=false', '--filename', '-'], listOf([...plumbing, ...made]));
    await kubectl(['--namespace', namespace, 'delete', 'configmap', 't500', 'seen', '--ignore-not-found']);
    receiver.close();
  }
}

const listOf = (items: readonly unknown[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });

/** A source is Ready before it watches: something is changed each half second until each of them has reported it. */
async function untilWatched(site: Site, { received }: Receiver): Promise<void> {
  const seen = (way: string, kind: string) =>
    received.some(
      ({ path, headers }) => path.startsWith(way) && headers['ce-kind'] === kind && headers['ce-name'] === 'seen',
    );
  let count = 0;
  const isSo = async (): Promise<unknown> => {
    count += 1;
    const data = { count: String(count) };
    await site.put({ ...subjects.refused('seen'), data });
    await site.put({ ...subjects.secret, metadata: { namespace, name: 'seen' }, stringData: data });
    await sleep(500);
    const all = [seen(ways.objects, 'ConfigMap'), seen(ways.references, 'Secret'), seen(ways.fn, 'ConfigMap')];
    return all.every(Boolean) || all;
  };
  await until('each source watches', isSo);
  await site.api('DELETE', `/api/v1/namespaces/${namespace}/secrets/seen`);
}
