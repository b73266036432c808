import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Cluster, startCluster } from '../../../tools/control-plane/cluster-api.ts';
import { objectsIn } from '../../kube/install.ts';
import * as cast from '../scenarios/cast.ts';
import { inRealWorld, pathOf, type RealWorld } from './real-world.ts';

/** A control plane of its own: no other test can do without the definitions. */
let cluster: Cluster;
const dir = mkdtempSync(join(tmpdir(), 'knudge-definitions-'));
before(async () => {
  cluster = await startCluster({ dir });
});
after(async () => {
  await cluster.stop();
  rmSync(dir, { recursive: true, force: true });
});

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/distributedservices.frp.io';
const [definition] = objectsIn('crds/distributedservices.yaml');
const given = cast.withEveryChild;

interface Schema {
  readonly properties: Record<string, { readonly properties: Record<string, object> }>;
}
interface Crd {
  readonly spec: { readonly versions: readonly Version[] };
}
interface Version {
  readonly storage: boolean;
  readonly schema: { readonly openAPIV3Schema: Schema };
}

async function change({ ask }: RealWorld, edit: (version: Version) => object): Promise<void> {
  const versions = structuredClone(definition as unknown as Crd).spec.versions.map(edit);
  await ask('MERGE', path, { spec: { versions } });
  // The API server takes a moment to serve the new schema.
  await new Promise((resolve) => setTimeout(resolve, 1500));
}

async function setPort({ ask, place }: RealWorld, remotePort: number, more: object = {}): Promise<void> {
  await ask('MERGE', pathOf(cast.webRef(place)), { spec: { ...more, expose: { remotePort } } });
}

/** Takes the service away: what stays would hold its definition. */
async function leave({ ask, place, look, find }: RealWorld): Promise<void> {
  const ref = cast.webRef(place);
  await ask('DELETE', pathOf(ref));
  for (let looks = 0; looks < 20 && (await find(ref)) !== undefined; looks += 1) await look();
  assert.equal(await find(ref), undefined);
}

test('X9: fields of a newer definition stay through our writes, and cost nothing', async () => {
  await inRealWorld({ given, kubeconfig: cluster.kubeconfig, blind: true }, async (world) => {
    const { place, look, see, state, writes } = world;
    await change(world, (version) => {
      const { spec } = version.schema.openAPIV3Schema.properties;
      if (spec !== undefined) spec.properties['future'] = { type: 'string', default: 'soon' };
      return version;
    });
    await setPort(world, 7002, { future: 'now' });
    await look();
    assert.equal((await see(cast.webRef(place))).spec?.['future'], 'now');
    assert.equal(await state(), 'Running');
    assert.match((await see(cast.childRef(place, 'config'))).data?.['frpc.json'] ?? '', /7002/);
    const before = writes().length;
    await setPort(world, 7002, { future: 'later' });
    await look();
    assert.deepEqual(writes().slice(before), ['apply distributedservices/status web'], 'only the generation is news');
    await change(world, (version) => version);
    await leave(world);
  });
});

test('X9: services of the old stored version go on when another version is stored, and back', async () => {
  await inRealWorld({ given, kubeconfig: cluster.kubeconfig, blind: true }, async (world) => {
    const { place, look, see, state } = world;
    const { uid } = (await see(cast.childRef(place, 'tunnel'))).metadata;
    for (const [port, isOther] of [
      [7002, true],
      [7003, false],
    ] as const) {
      await change(world, (version) => ({ ...version, storage: version.storage !== isOther }));
      await setPort(world, port);
      await look();
      assert.equal(await state(), 'Running');
      assert.match((await see(cast.childRef(place, 'config'))).data?.['frpc.json'] ?? '', new RegExp(String(port)));
    }
    assert.equal((await see(cast.childRef(place, 'tunnel'))).metadata.uid, uid);
    await leave(world);
  });
});

/** With a format in the place of the pattern, where kube-apiserver 1.35 takes a list for a text. */
function withFormats(version: Version): Version {
  let times = 0;
  const looser = JSON.parse(JSON.stringify(version), (_, value: { readonly maxLength?: unknown } | null) => {
    if (value?.maxLength !== 35) return value;
    times += 1;
    return { type: 'string', format: 'date-time' };
  }) as Version;
  // Of each condition, of the last reconcile, and of each count of writes.
  assert.equal(times, 3);
  return looser;
}

test('X9: a status that was stored broken under a looser definition is made whole under ours', async () => {
  await inRealWorld({ given, kubeconfig: cluster.kubeconfig, blind: true }, async (world) => {
    const { ask, place, look, see, state, condition } = world;
    const web = cast.webRef(place);
    const { status: good } = await see(web);
    for (const [port, definitionThen] of [
      [7002, withFormats],
      [7003, (version: Version) => version],
    ] as const) {
      await change(world, withFormats);
      const conditions = good?.conditions?.map((one) => ({ ...one, lastTransitionTime: ['x'] }));
      await ask('MERGE', `${pathOf(web)}/status`, { status: { conditions, lastReconciled: [] } });
      await change(world, definitionThen);
      await setPort(world, port);
      await look();
      assert.equal(await state(), 'Running');
      assert.equal(await condition('Ready'), 'True Running');
      const { status, metadata } = await see(web);
      const times = [...(status?.conditions ?? []).map((one) => one.lastTransitionTime), status?.lastReconciled];
      assert.ok(
        times.every((time) => typeof time === 'string' && Date.parse(time) > 0),
        JSON.stringify(times),
      );
      assert.equal(status?.observedGeneration, metadata.generation);
    }
    await leave(world);
  });
});

const pathOfAll = path.slice(0, path.lastIndexOf('/'));

for (const [what, plurals] of [
  ['the definition of services is', ['distributedservices']],
  ['all definitions are, that of Claims first,', ['claims', 'messages', 'distributedservices']],
] as const) {
  test(`X9: ${what} deleted: services are cleaned up and let it go; installed again, it serves`, async () => {
    await inRealWorld({ given, kubeconfig: cluster.kubeconfig, blind: true }, async (world) => {
      const { place, ask, user, find, settle, resync } = world;
      const group = (plural: string): string => (plural === 'messages' ? 'myorg.dev' : 'frp.io');
      for (const plural of plurals) await ask('DELETE', `${pathOfAll}/${plural}.${group(plural)}`);
      await new Promise((resolve) => setTimeout(resolve, 500));
      await settle();
      for (let ticks = 0; ticks < 60 && (await served(world)); ticks += 1) {
        if ((await find(cast.webRef(place))) !== undefined) await resync();
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      assert.equal(await served(world), false, 'the definition is still there');
      for (const role of ['identity', 'tls', 'config', 'endpoints', 'tunnel'] as const) {
        assert.equal(await find(cast.childRef(place, role)), undefined, role);
      }
      for (const plural of plurals) await ask('POST', pathOfAll, objectsIn(`crds/${plural}.yaml`)[0]);
      for (let looks = 0; looks < 50 && !(await served(world)); looks += 1) {
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      await user.create(cast.web(place, { ...cast.bySelector, ...cast.generated }));
      const made = await find(cast.webRef(place));
      assert.equal(made?.status, undefined);
    });
  });
}

async function served({ ask }: RealWorld): Promise<boolean> {
  try {
    await ask('GET', '/apis/frp.io/v1beta1/distributedservices');
    return true;
  } catch {
    return false;
  }
}
