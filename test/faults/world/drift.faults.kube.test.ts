import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import type { ChildRole } from '../../../resources/distributed-service/names.ts';
import * as cast from '../scenarios/cast.ts';
import { inRealWorld, pathOf, type RealWorld } from './real-world.ts';
import type { Seen } from './world.ts';

interface Row {
  readonly what: string;
  readonly role: ChildRole;
  readonly change: Readonly<Record<string, unknown>>;
  /** Something of ours that is to be there again. */
  readonly mended: (live: Seen) => boolean;
}

const container = (live: Seen, name: string) =>
  (
    live.spec as unknown as { template: { spec: { containers: readonly { name: string; image: string }[] } } }
  ).template.spec.containers.find((one) => one.name === name);
const ports = ({ spec }: Seen) => spec?.['ports'] as readonly { readonly port: number }[];

/** Edits that the API server takes, and that it may not let anybody take back by an apply alone. */
const rows: readonly Row[] = [
  {
    what: 'the port of the balanced Service',
    role: 'balanced',
    change: { spec: { ports: [{ name: 'tcp', port: 9999, targetPort: 18_000, protocol: 'TCP' }] } },
    mended: (live) => ports(live).some(({ port }) => port === 8080),
  },
  {
    what: 'the strategy of the tunnel',
    role: 'tunnel',
    change: { spec: { strategy: { type: 'RollingUpdate' } } },
    mended: ({ spec }) => JSON.stringify(spec?.['strategy']) === '{"type":"Recreate"}',
  },
  {
    what: 'the type of the balanced Service',
    role: 'balanced',
    change: { spec: { type: 'NodePort' } },
    mended: ({ spec }) => spec?.['type'] === 'ClusterIP',
  },
  {
    what: 'the number of tunnels',
    role: 'tunnel',
    change: { spec: { replicas: 3 } },
    mended: ({ spec }) => spec?.['replicas'] === 1,
  },
];

const given = cast.withEveryChild;

for (const { what, role, change, mended } of rows) {
  test(`X3: ${what} that somebody edits is brought back on a real API server`, async () => {
    await inRealWorld({ given }, async ({ place, user, settle, see, state, condition, refusals, restful }) => {
      const ref = cast.childRef(place, role);
      await user.patch(ref, change);
      await settle();
      assert.deepEqual(refusals(), []);
      assert.ok(mended(await see(ref)), JSON.stringify((await see(ref)).spec));
      assert.equal(await condition('ConfigurationValid'), 'True Valid');
      assert.equal(await state(), 'Running');
      await restful();
    });
  });
}

/** As another manager would: argo, an injector, a person with `kubectl apply --server-side`. */
async function applyAsArgo(ref: ObjectRef, fields: object, { ask }: RealWorld): Promise<Seen> {
  const { apiVersion, kind, name, namespace } = ref;
  const body = { apiVersion, kind, metadata: { name, namespace }, ...fields };
  return ask('APPLY', `${pathOf(ref)}?fieldManager=argo&force=true`, body);
}

test('X3: what another manager applies to our fields is taken back, what it applies beside them stays', async () => {
  await inRealWorld({ given }, async (world) => {
    const { place, settle, see, user, restful, state } = world;
    const ref = cast.childRef(place, 'tunnel');
    const image = container(await see(ref), 'frpc')?.image;
    const containers = [
      { name: 'frpc', image: 'theirs:1' },
      { name: 'sidecar', image: 'sidecar:1' },
    ];
    const metadata = { name: ref.name, namespace: ref.namespace, labels: { 'example.com/team': 'blue' } };
    await applyAsArgo(ref, { metadata, spec: { template: { spec: { containers } } } }, world);
    await settle();
    const live = await see(ref);
    assert.equal(container(live, 'frpc')?.image, image);
    assert.equal(container(live, 'sidecar')?.image, 'sidecar:1');
    assert.equal(live.metadata.labels?.['example.com/team'], 'blue');
    await user.patch(cast.webRef(place), { spec: { expose: { remotePort: 7002 } } });
    await settle();
    assert.equal(container(await see(ref), 'sidecar')?.image, 'sidecar:1', 'it went with an update of ours');
    assert.equal(await state(), 'Running');
    await restful();
  });
});

test('X3: a manager that applies in turn with us costs one write a turn, and ends as we have it', async () => {
  await inRealWorld({ given }, async (world) => {
    const { place, settle, see, writes, restful } = world;
    const ref = cast.childRef(place, 'tunnel');
    const before = writes().length;
    for (let turn = 0; turn < 3; turn += 1) {
      await applyAsArgo(ref, { spec: { replicas: 2 + turn } }, world);
      await settle();
    }
    const applies = writes()
      .slice(before)
      .filter((write) => write === 'apply deployments frp-web');
    assert.equal(applies.length, 3);
    assert.equal((await see(ref)).spec?.['replicas'], 1);
    await restful();
  });
});

test('X12: a leaf that somebody made immutable is told when it is due, and made anew when it is deleted', async () => {
  await inRealWorld({ given }, async ({ place, user, pass, resync, settle, condition, state, restful }) => {
    const leaf = cast.childRef(place, 'tls');
    await user.patch(leaf, { immutable: true });
    await settle();
    assert.equal(await state(), 'Running');
    pass(5 * 86_400_000);
    await resync();
    assert.equal(await condition('ConfigurationValid'), 'False InvalidObject');
    await user.delete(leaf);
    await settle();
    await resync();
    assert.equal(await state(), 'Running');
    await restful();
  });
});

test('X12: an authority that somebody broke is told and stays, and is made anew with its leaf when it is deleted', async () => {
  await inRealWorld({ given }, async ({ place, user, see, find, settle, resync, state, condition, restful }) => {
    const authority = cast.refIn(place, 'Secret', 'frp-default-ca');
    const { uid } = (await see(authority)).metadata;
    await user.patch(authority, { data: { 'tls.crt': 'bWluZQ==' } });
    await settle();
    await resync();
    assert.equal(await condition('CertificatesReady'), 'False AuthorityInvalid');
    assert.equal((await see(authority)).metadata.uid, uid);
    await user.delete(authority);
    await settle();
    await resync();
    assert.notEqual((await find(authority))?.metadata.uid, uid);
    assert.equal(await state(), 'Running');
    await restful();
  });
});
