import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestedType } from '../../../packages/controller/domain/change.ts';
import type { Snapshot } from '../../../packages/controller/testing/sim/snapshot.ts';
import type { TracedCall } from '../../../packages/controller/testing/trace.ts';
import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';
import * as cast from '../scenarios/cast.ts';
import { emptyCluster, place } from '../sim/prepare.ts';
import { inWorld, type World } from './world.ts';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

const callsOf = ({ simulation }: World): readonly TracedCall[] => simulation.trace([]).calls;
const sizeOf = ({ seen }: TracedCall): number => JSON.stringify(seen.body ?? '').length;

test('X10: the resync asks after 10,000 services, in pages of metadata, at a cost that grows with their number', async () => {
  const asked = new Set<string>();
  const fate = (event: CloudEvent): readonly CloudEvent[] => {
    const { type, name } = event.attributes;
    if (type === requestedType && name !== undefined) asked.add(name);
    return type === 'dev.knative.sources.ping' || event.attributes['source'] === '/knudge/resync-due' ? due(event) : [];
  };
  await inWorld({ fate, parents: [], from: await crowdOf(10_000) }, async (world) => {
    const before = process.memoryUsage().heapUsed;
    await world.resync();
    assert.equal(asked.size, 10_000);
    const lists = callsOf(world).filter(({ verb }) => verb === 'list');
    // A hundred pages of services, one of Messages; up to 20 steps to where the round enters the list, and two pages that it cuts.
    assert.ok(lists.length > 100 && lists.length <= 100 + 1 + 20 + 2, `${lists.length} lists`);
    assert.ok(lists.every(({ query }) => Number(query['limit']) <= 500));
    assert.ok(Math.max(...lists.map(sizeOf)) < 400_000, `${Math.max(...lists.map(sizeOf))} bytes in a page`);
    // The trace of the simulator keeps every page; a function keeps one.
    assert.ok(process.memoryUsage().heapUsed - before < 400 * 1024 * 1024);
  });
});

/** A cluster with so many services that nobody has looked at yet: each a copy of one that the API server has made. */
async function crowdOf(count: number): Promise<Snapshot> {
  const snapshots: Snapshot[] = [];
  await inWorld({ fate: () => [], from: await emptyCluster() }, async ({ user, simulation }) => {
    await user.create(cast.web(place));
    snapshots.push(simulation.cluster.snapshot());
  });
  const [snapshot] = snapshots;
  const one = snapshot?.objects.find(({ object }) => object['kind'] === 'DistributedService');
  assert.ok(snapshot !== undefined && one !== undefined);
  const copies = numbers(count).map((number) => {
    const name = `web${String(number)}`;
    const metadata = { ...(one.object['metadata'] as object), name, uid: `uid-of-${name}` };
    return { place: { ...one.place, name }, object: { ...one.object, metadata } };
  });
  return { ...snapshot, objects: [...snapshot.objects.filter((other) => other !== one), ...copies] };
}

/** Only the resync itself is delivered, not what it asks for. */
function due(event: CloudEvent): readonly CloudEvent[] {
  return event.attributes['type'] === requestedType ? [] : [event];
}

test('X10: four times as many services of one server cost four times the calls, when it changes', async () => {
  const costOf = async (count: number): Promise<number> => {
    const parents = numbers(count).map((number) => cast.webRef(place, `web${number}`));
    const given = () => [
      cast.profile(place),
      ...numbers(count).map((number) => cast.web(place, {}, { name: `web${number}` })),
    ];
    let calls = 0;
    await inWorld({ given, parents }, async (world) => {
      await world.user.patch(cast.refIn(place, 'ConfigMap', 'frps-default'), { data: { port: '7443' } });
      await world.settle();
      calls = callsOf(world).length;
      await world.rest();
    });
    return calls;
  };
  const [few, many] = [await costOf(5), await costOf(20)];
  assert.ok(many <= 4.4 * few, `${few} calls for 5, ${many} for 20`);
});

test('X10: 1,000 backends of one service are read in pages, as many as there may be are published, and others are served', async () => {
  let isDeaf = true;
  const fate = (event: CloudEvent): readonly CloudEvent[] => (isDeaf ? [] : [event]);
  const parents = [cast.webRef(place), cast.helloRef(place)];
  const given = () => [cast.profile(place), cast.web(place)];
  await inWorld({ given, fate, parents }, async (world) => {
    for (const number of numbers(1000)) await world.user.create(cast.backend(place, `web-${number}`));
    await world.settle();
    isDeaf = false;
    await cast.wake(world.user, cast.webRef(place));
    await world.user.create(cast.hello(place));
    await world.settle();
    const lists = callsOf(world).filter(({ verb, resource }) => verb === 'list' && resource === 'pods');
    assert.ok(lists.length > 0 && lists.every(({ query }) => Number(query['limit']) <= 250));
    const file = world.see(cast.childRef(place, 'endpoints')).data?.['eds.json'] ?? '';
    assert.equal(new Set(file.match(/10\.0\.\d+\.\d+/g)).size, 256, `${file.length} bytes of endpoints`);
    assert.equal(world.find(cast.helloRef(place))?.status?.phase, 'Processed');
    assert.equal(world.state(), 'Running');
  });
});

const filler = 'x'.repeat(250_000);

test('X10: the largest service that its definition lets through is served', async () => {
  const endpoints = numbers(256).map((number) => ({
    host: `10.1.${number % 8}.${number % 250}`,
    port: number,
    weight: 1,
  }));
  const backends = { discovery: 'manual', replicas: 1, endpoints } as const;
  const large = cast.web(place, { backends }, { annotations: { 'example.com/filler': filler } });
  await inWorld({ given: () => [cast.profile(place)] }, async ({ user, settle, state, rest, see }) => {
    await user.create(large);
    await settle();
    assert.equal(state(), 'Running');
    assert.match(see(cast.childRef(place, 'endpoints')).data?.['eds.json'] ?? '', /10\.1\.7\./);
    await rest();
  });
});

test('X10: a spec of a megabyte is refused by the definition, and an event of that size is read and done', async () => {
  await inWorld({ given: cast.withEveryChild }, async ({ user, simulation, see, settle, writes, rest }) => {
    const endpoints = numbers(40_000).map((number) => ({ host: `host-${number}`, port: 1, weight: 1 }));
    await assert.rejects(user.create(cast.web(place, { backends: { discovery: 'manual', replicas: 1, endpoints } })));
    const live = see(cast.webRef(place));
    const data = Buffer.from(JSON.stringify({ ...live, spec: { ...live.spec, filler: filler.repeat(4) } }));
    assert.ok(data.length > 1_000_000);
    const attributes = {
      specversion: '1.0',
      id: 'large',
      type: 'dev.knative.apiserver.resource.update',
      source: 'https://kubernetes',
      time: '2026-01-01T00:00:00Z',
      kind: 'DistributedService',
      apiversion: 'frp.io/v1beta1',
      name: 'web',
      namespace: place.namespace,
    };
    simulation.send({ attributes, contentType: 'application/json', data });
    await settle();
    assert.equal(simulation.trace([]).answers.at(-1)?.status, 204);
    assert.deepEqual(writes(), []);
    await rest();
  });
});
