import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathOf } from '../../../packages/controller/testing/sim/user.ts';
import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';
import * as cast from '../scenarios/cast.ts';
import { place } from '../sim/prepare.ts';
import { manifests } from '../sim/source.ts';
import { inWorld, type Seen, type World } from './world.ts';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  namespace: '',
  name: 'distributedservices.frp.io',
};
const parents = [cast.webRef(place), cast.helloRef(place)];
const given = () => [...cast.withEveryChild(place), cast.hello(place)];

interface Crd {
  readonly spec: { readonly versions: readonly Version[] };
}
interface Version {
  readonly selectableFields?: readonly object[];
  readonly name: string;
  readonly storage: boolean;
  readonly schema: { readonly openAPIV3Schema: { readonly properties: Readonly<Record<string, object>> } };
}

/** The definition of services as it is deployed, its versions changed. */
function versionsWith(change: (version: Version) => object): readonly object[] {
  const found = manifests.objects.find(({ metadata }) => metadata.name === definition.name);
  return (found as unknown as Crd).spec.versions.map(change);
}

async function takeAway({ user, settle, resync, find }: World): Promise<void> {
  await user.delete(definition);
  await settle();
  for (let ticks = 0; ticks < 4 && find(definition) !== undefined; ticks += 1) await resync();
  assert.equal(find(definition), undefined, 'the finalizers of the services hold their definition');
}

test('X9: the definition of services can be deleted: services, children and finalizers go first', async () => {
  await inWorld({ given, parents }, async (world) => {
    await takeAway(world);
    const left = world.simulation.cluster.api.client
      .all()
      .filter(({ metadata }) => metadata.name.startsWith('frp-web'));
    assert.deepEqual(
      left.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
      [],
    );
  });
});

const all = ['claims.frp.io', 'distributedservices.frp.io', 'messages.myorg.dev'];

for (const names of [all, all.toReversed()])
  test(`X9: all definitions can be deleted, ${names[0]} first: nothing of ours is left, and no finalizer waits`, async () => {
    await inWorld({ given, parents }, async ({ user, simulation, settle, resync, find }) => {
      for (const name of names) await user.delete({ ...definition, name });
      await settle();
      for (let ticks = 0; ticks < 4 && find(definition) !== undefined; ticks += 1) await resync();
      const left = simulation.cluster.api.client.all();
      assert.deepEqual(
        left.flatMap(({ kind, metadata: { name } }) =>
          /\.(frp\.io|myorg\.dev)$|^(frp-web|msg-|claim-)/.test(name) && kind !== 'Event' ? [`${kind} ${name}`] : [],
        ),
        [],
      );
      const failed = simulation.trace([]).answers.filter(({ status }) => status !== 204);
      assert.deepEqual(
        failed.map(({ stem, status, body }) => `${stem} ${status} ${body}`),
        [],
      );
    });
  });

test('X9: events while the kind of services is not served are done, and no fault of ours', async () => {
  await inWorld({ given, parents }, async (world) => {
    const { user, simulation, settle, writes } = world;
    await takeAway(world);
    const count = simulation.trace([]).answers.length;
    const before = writes().length;
    await user.patch(cast.refIn(place, 'ConfigMap', 'frps-default'), { data: { port: '7443' } });
    await user.patch(cast.refIn(place, 'Pod', 'shop-1'), { metadata: { labels: { 'frp.io/service': 'web' } } });
    await user.create(cast.suppliedSecret(place));
    await settle();
    assert.deepEqual(writes().slice(before), []);
    const answers = simulation.trace([]).answers.slice(count);
    assert.deepEqual([...new Set(answers.map(({ stem, status }) => `${stem} ${status}`))].sort(), [
      'config-map-changed 204',
      'pod-changed 204',
      'secret-changed 204',
    ]);
  });
});

test('X9: without the definition of services the resync goes on to look after Messages', async () => {
  let isDeaf = false;
  const fate = (event: CloudEvent): readonly CloudEvent[] =>
    isDeaf && event.attributes['type']?.startsWith('dev.knative.apiserver') === true ? [] : [event];
  await inWorld({ given, parents, fate }, async (world) => {
    await takeAway(world);
    const pod = cast.refIn(place, 'Pod', 'msg-hello');
    isDeaf = true;
    await world.user.delete(pod);
    await world.settle();
    assert.equal(world.find(pod), undefined);
    await world.resync();
    assert.ok(world.find(pod), 'the Pod of the Message is not made anew');
  });
});

test('X9: installed again, the definition takes services and they are made to run', async () => {
  await inWorld({ given, parents }, async (world) => {
    const { simulation, user, resync, state, writes } = world;
    await takeAway(world);
    const found = manifests.objects.find(({ metadata }) => metadata.name === definition.name);
    assert.ok(found);
    simulation.ask('POST', pathOf({ ...definition, name: '' }), found);
    await world.settle();
    await user.create(cast.web(place, { ...cast.bySelector, ...cast.generated }));
    await resync();
    assert.equal(state(), 'Running');
    const before = writes().length;
    await resync();
    assert.deepEqual(writes().slice(before), []);
  });
});

test('X9: fields that a newer definition has are left alone, and cost nothing', async () => {
  await inWorld({ given, parents }, async ({ user, see, settle, state, writes, rest }) => {
    const versions = versionsWith((version) => {
      const schema = structuredClone(version.schema) as { openAPIV3Schema: { properties: { spec: Spec } } };
      schema.openAPIV3Schema.properties.spec.properties['future'] = { type: 'string', default: 'soon' };
      return { ...version, schema };
    });
    await user.patch(definition, { spec: { versions } });
    await settle();
    await user.patch(cast.webRef(place), { spec: { future: 'now', expose: { remotePort: 7002 } } });
    await settle();
    assert.equal(see(cast.webRef(place)).spec?.['future'], 'now');
    assert.equal(state(), 'Running');
    const before = writes().length;
    await user.patch(cast.webRef(place), { spec: { future: 'later' } });
    await settle();
    const statuses = writes().slice(before);
    assert.deepEqual(statuses, ['apply distributedservices/status web'], 'only the generation is news');
    await rest();
  });
});

interface Spec {
  readonly properties: Record<string, object>;
}

test('X9: services that were stored in the old version go on when another version is stored', async () => {
  await inWorld({ given, parents }, async ({ user, see, settle, state, rest }) => {
    const before = see(cast.childRef(place, 'tunnel')).metadata.uid;
    const versions = versionsWith((version) => ({ ...version, storage: !version.storage }));
    assert.equal(versions.length, 2);
    await user.patch(definition, { spec: { versions } });
    await settle();
    await user.patch(cast.webRef(place), { spec: { expose: { remotePort: 7002 } } });
    await settle();
    assert.equal(state(), 'Running');
    assert.equal(see(cast.childRef(place, 'tunnel')).metadata.uid, before);
    await rest();
  });
});

for (const lost of ['security', 'loadBalancing', 'backends', 'expose', 'serverProfile', 'serviceType']) {
  test(`X9: a service of a definition that knows no ${lost} is served or told to be invalid, and no fault of ours`, async () => {
    const loose = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    await inWorld({ given: () => [cast.profile(place)] }, async ({ user, simulation, settle, state }) => {
      const versions = versionsWith((version) => {
        const { selectableFields: _fields, ...without } = version;
        const { status } = version.schema.openAPIV3Schema.properties;
        return { ...without, schema: { openAPIV3Schema: { type: 'object', properties: { spec: loose, status } } } };
      });
      await user.patch(definition, { spec: { versions } });
      await settle();
      const { spec, ...service } = cast.web(place) as Seen;
      const { [lost]: _, ...older } = spec ?? {};
      await user.create({ ...service, spec: older } as Seen);
      await settle();
      const statuses = new Set(simulation.trace([]).answers.map(({ status }) => status));
      assert.deepEqual([...statuses], [204]);
      assert.notEqual(state(), undefined);
    });
  });
}
