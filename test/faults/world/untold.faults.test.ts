import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';
import * as cast from '../scenarios/cast.ts';
import { givenOf, place } from '../sim/prepare.ts';
import { inWorld, type World } from './world.ts';

const given = (at: typeof place) => [...cast.withEveryChild(at), cast.hello(at)];
const from = await givenOf(cast.aboutWeb({ name: 'untold', given, when: async () => undefined }));
const [web, hello] = [cast.webRef(place), cast.helloRef(place)];
const parents = [web, hello];
const child = (role: Parameters<typeof cast.childRef>[1]) => cast.childRef(place, role);
const pod = cast.refIn(place, 'Pod', 'msg-hello');
const [minute, day] = [60_000, 86_400_000];

const dataOf = (world: World, role: Parameters<typeof child>[0]): string =>
  JSON.stringify(world.find(child(role))?.data);

/** Kubernetes Events with this reason: whom they are about. */
const toldOf = ({ simulation }: World, reason: string): readonly string[] =>
  simulation.cluster.api.client
    .all()
    .filter((one) => one.kind === 'Event' && Reflect.get(one, 'reason') === reason)
    .map((one) => Reflect.get(one, 'regarding') as KubeObject & { name: string })
    .map(({ kind, name }) => `${kind} ${name}`);

interface State {
  readonly sentence: string;
  readonly plant: (world: World) => Promise<void>;
  /** Parents of which the resync must have reported that it found something; `web` where none are named. */
  readonly found?: readonly string[];
  readonly right: (world: World) => void;
}

const states: readonly State[] = [
  {
    sentence: 'a service that was edited',
    plant: async ({ user }) => void (await user.patch(web, { spec: { expose: { remotePort: 7009 } } })),
    right: (world) => {
      assert.equal(world.see(web).status?.observedGeneration, world.see(web).metadata.generation);
      assert.match(Buffer.from(JSON.stringify(world.see(child('config')).data)).toString(), /7009/);
      assert.equal(world.state(), 'Running');
    },
  },
  {
    sentence: 'a service that was made',
    plant: async ({ user }) => void (await user.create(cast.web(place, {}, { name: 'new' }))),
    found: ['DistributedService new'],
    right: ({ see }) => assert.ok(see(cast.refIn(place, 'apps/v1 Deployment', 'frp-new'))),
  },
  {
    sentence: 'a service that was deleted: our finalizer is left behind',
    plant: ({ user }) => user.delete(web),
    right: ({ find }) => {
      for (const ref of [web, child('tunnel'), child('identity'), child('endpoints')])
        assert.equal(find(ref), undefined);
    },
  },
  {
    sentence: 'a living service whose finalizer somebody took',
    plant: async ({ user }) => void (await user.patch(web, { metadata: { finalizers: null } })),
    right: ({ see }) => assert.deepEqual(see(web).metadata.finalizers, ['frp.io/cleanup']),
  },
  {
    sentence: 'children that are gone, the identity among them',
    plant: async ({ user }) => {
      for (const role of ['identity', 'endpoints', 'balanced', 'tunnel'] as const) await user.delete(child(role));
    },
    right: (world) => {
      for (const role of ['identity', 'endpoints', 'balanced', 'tunnel'] as const) assert.ok(world.see(child(role)));
      assert.equal(world.state(), 'Running');
    },
  },
  {
    sentence: 'a backend that is gone',
    plant: ({ user }) => user.delete(cast.refIn(place, 'Pod', 'shop-1')),
    right: ({ condition }) => assert.equal(condition('BackendsAvailable'), 'False NoBackendsFound'),
  },
  {
    sentence: 'a Message that was edited and whose Pod is gone',
    plant: async ({ user }) => {
      await user.delete(pod);
      await user.patch(hello, { spec: { text: 'good night' } });
    },
    found: ['Message hello'],
    right: ({ see, condition }) => {
      assert.match(JSON.stringify(see(pod).spec), /good night/);
      assert.equal(condition('Ready', hello), 'True PodReady');
    },
  },
  {
    sentence: 'a certificate that is to be renewed',
    plant: async ({ simulation }) => simulation.clock.pass(5 * day),
    right: ({ condition }) => assert.equal(condition('CertificatesReady'), 'True CertificatesProvisioned'),
  },
  {
    sentence: 'a service stuck in its deletion, past the deadline',
    plant: async ({ user, simulation }) => {
      await user.patch(child('tunnel'), { metadata: { finalizers: ['example.com/hold'] } });
      await user.delete(web);
      simulation.clock.pass(6 * minute);
    },
    right: ({ condition }) => assert.equal(condition('CleanupBlocked'), 'True DeadlinePassed'),
  },
  {
    sentence: 'the children of a service that went without its finalizer and set them free',
    plant: async ({ user }) => {
      await user.delete(web, 'Orphan');
      await user.patch(web, { metadata: { finalizers: ['orphan'] } });
    },
    found: [],
    right: (world) => {
      assert.equal(world.find(web), undefined);
      const orphans = ['Deployment frp-web', 'Service frp-web-backends', 'Service frp-web-balanced'];
      assert.deepEqual([...toldOf(world, 'Orphaned')].sort(), orphans);
      assert.ok(world.find(child('tunnel')), 'a person has set it free');
    },
  },
];

for (const { sentence, plant, found = ['DistributedService web'], right } of states) {
  test(`without any event, one resync sees ${sentence}`, async () => {
    let isDeaf = true;
    const fate = (event: CloudEvent): readonly CloudEvent[] => (isDeaf ? [] : [event]);
    await inWorld({ from, fate, parents }, async (world) => {
      const [certificate, before] = [dataOf(world, 'tls'), toldOf(world, 'FoundByResync').length];
      assert.equal(before, 0);
      await plant(world);
      await world.settle();
      isDeaf = false;
      await world.resync();
      right(world);
      assert.equal(dataOf(world, 'tls') === certificate, !/certificate|deleted/.test(sentence));
      assert.deepEqual([...new Set(toldOf(world, 'FoundByResync'))], found);
      const lines = world.simulation.trace([]).output.filter((line) => line.includes('found by the resync'));
      assert.equal(lines.length > 0, found.length > 0);
    });
  });
}

test('a resync that finds nothing tells nothing, however often it comes', async () => {
  await inWorld({ from, parents }, async (world) => {
    for (let ticks = 0; ticks < 3; ticks += 1) await world.resync();
    assert.deepEqual([...toldOf(world, 'FoundByResync'), ...toldOf(world, 'Orphaned')], []);
    await world.rest();
  });
});

test('an orphan is told once while its Event lasts, and not while it is somebody’s', async () => {
  await inWorld({ from, parents }, async (world) => {
    await world.user.patch(child('tunnel'), { metadata: { ownerReferences: null } });
    await world.resync();
    assert.ok(world.see(child('tunnel')).metadata.ownerReferences, 'its parent has taken it back');
    assert.deepEqual(toldOf(world, 'Orphaned'), []);
    await world.user.delete(hello, 'Orphan');
    await world.settle();
    for (let ticks = 0; ticks < 3; ticks += 1) await world.resync();
    assert.deepEqual(toldOf(world, 'Orphaned'), ['Pod msg-hello']);
    await world.rest();
  });
});
