import { setTimeout as sleep } from 'node:timers/promises';
import { distributedService, serverProfile } from '../../test/build/objects.ts';
import { untilAsleep } from '../../test/knative/asleep.ts';
import { home, type Site } from '../../test/knative/site.ts';
import type { Row } from '../report.ts';

const namespace = 'default';
/** So long after the last Pod was seen it is over. */
const quietMs = 15_000;

/** Which functions are started, and how often, for one DistributedService that is made while all sleep. */
export async function measureOneService(site: Site): Promise<readonly Row[]> {
  await site.put({ ...serverProfile('bench'), metadata: { ...serverProfile('bench').metadata, namespace } });
  await sleep(3000);
  await untilAsleep(site);
  const before = await podsOf(site);
  const seen = new Map<string, string>();
  const began = performance.now();
  await site.put(distributedService('bench-one', { serverProfile: 'bench' }, { namespace }));
  let last = began;
  while (performance.now() - last < quietMs && performance.now() - began < 90_000) {
    for (const [name, service] of await podsOf(site)) {
      if (before.has(name) || seen.has(name)) continue;
      seen.set(name, service);
      last = performance.now();
    }
    await sleep(200);
  }
  await site.api('DELETE', `/apis/frp.io/v1beta1/namespaces/${namespace}/distributedservices/bench-one`);
  await site.api('DELETE', `/api/v1/namespaces/${namespace}/configmaps/frps-bench`);
  const names = [...seen.values()].sort();
  const which = [...new Set(names)].map((name) => `${name} ${String(names.filter((each) => each === name).length)}`);
  return [
    {
      name: 'one DistributedService, all asleep: Pods of functions started',
      figures: { n: names.length, 's until the last': (last - began) / 1000, which: which.join(', ') },
    },
  ];
}

async function podsOf(site: Site): Promise<ReadonlyMap<string, string>> {
  const pods = (await site.list('v1', 'Pod', home)).map(
    ({ metadata }) => [metadata.name, metadata.labels?.['serving.knative.dev/service']] as const,
  );
  return new Map(
    pods.filter((pair): pair is readonly [string, string] => pair[1] !== undefined && pair[1] !== 'event-log'),
  );
}
