import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DistributedService } from '../../../../resources/distributed-service/types.ts';
import type { MemoryCluster } from '../../../../test/build/memory-cluster.ts';
import { assertHas, claimOf, http, isHeld, isLost, make, verdict, world } from './claiming.ts';

const host = 'x.example.com';
type Paths = readonly string[] | undefined;
const service = (name: string, locations: Paths): DistributedService =>
  http(name, { domains: [host], ...(locations && { locations }) });

/** frps adds no path where a proxy has none, and sends a request to the longest path that it begins with (frp `pkg/util/vhost`). */
function served(request: string, proxies: readonly { readonly name: string; readonly paths: readonly string[] }[]) {
  const fits = proxies.flatMap(({ name, paths }) =>
    paths.filter((path) => request.startsWith(path)).map((path) => ({ name, path })),
  );
  return fits.sort((one, other) => other.path.length - one.path.length)[0]?.name;
}

describe('services of one namespace that share a host', () => {
  const choices: readonly Paths[] = [undefined, ['/'], ['/a'], ['/a/'], ['/', '/a'], ['/b', '/a/b']];
  for (const one of choices)
    for (const other of choices) {
      const told = (paths: Paths): string => paths?.join(' and ') ?? 'no path';
      it(`with ${told(one)}, and ${told(other)}: each that is published gets a request for each of its paths`, async () => {
        const cluster = world();
        await make(cluster, service('a', one), service('b', other));
        await assertHas(cluster, 'a', isHeld);
        const both = [one, other].map((paths = [''], at) => ({ name: at === 0 ? 'a' : 'b', paths }));
        const { proxies } = await verdict(cluster, 'b');
        const published = both.slice(0, 1 + proxies);
        const astray = published.flatMap(({ name, paths }) =>
          paths.filter((path) => served(path || '/', published) !== name),
        );
        assert.deepEqual(astray, []);
      });
    }

  it('the path / and no path are both the whole host, so the second of them says whose that is', async () => {
    const cluster = world();
    await make(cluster, service('a', undefined), service('b', ['/']));
    await assertHas(cluster, 'b', isLost);
    assert.match(
      (await verdict(cluster, 'b')).message ?? '',
      /^the domain x\.example\.com of the FRP server belongs to DistributedService a:/,
    );
  });
});

/** The Claim as a version before this one has written it: with the path / of its service in it. */
async function claimedBefore(): Promise<MemoryCluster> {
  const cluster = world();
  await make(cluster, service('a', ['/', '/a']));
  const { metadata, spec, ...claim } = claimOf(cluster, host);
  const { namespace = '', name, labels = {} } = metadata;
  const services = spec.services.map((entry) => ({ ...entry, locations: ['/', '/a'] }));
  cluster.remove({ ...claim, namespace, name });
  const before = { ...claim, metadata: { namespace, name, labels }, spec: { ...spec, services } };
  await cluster.create(before);
  return cluster;
}

const pathsIn = (cluster: MemoryCluster, domain: string) =>
  claimOf(cluster, domain).spec.services.map(({ locations }) => locations);

describe('a Claim of before, in which the whole host is the path /', () => {
  it('is held by its service, which leaves it as it is when it looks at its Claims again', async () => {
    const cluster = await claimedBefore();
    const { metadata } = claimOf(cluster, host);
    await make(cluster, http('a', { domains: [host, 'y.example.com'], locations: ['/', '/a'] }));
    await assertHas(cluster, 'a', isHeld);
    assert.equal(claimOf(cluster, host).metadata.resourceVersion, metadata.resourceVersion);
    assert.deepEqual(pathsIn(cluster, 'y.example.com'), [['', '/a']]);
  });

  it('keeps its service when the spec changes', async () => {
    const cluster = await claimedBefore();
    await make(cluster, service('a', ['/', '/b']));
    await assertHas(cluster, 'a', isHeld);
    assert.deepEqual(pathsIn(cluster, host), [['', '/b']]);
  });

  it('keeps the whole host from a service that comes', async () => {
    const cluster = await claimedBefore();
    await make(cluster, service('b', undefined));
    await assertHas(cluster, 'b', isLost);
    await make(cluster, service('c', ['/c']));
    await assertHas(cluster, 'c', isHeld);
  });
});
