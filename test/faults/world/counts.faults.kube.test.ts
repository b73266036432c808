import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCluster } from '../../../packages/controller/cluster/cluster.ts';
import { outsideCluster } from '../../../packages/controller/cluster/outside.ts';
import { resyncTypes } from '../../../packages/controller/domain/change.ts';
import type { KubeObject, ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import { cursorIn } from '../../../packages/controller/resync/cursor.ts';
import { announceParents } from '../../../packages/controller/resync/page.ts';
import { issuer } from '../../../packages/issuing/issuer.ts';
import { type ChildRole, childRoles } from '../../../resources/distributed-service/names.ts';
import { testKubeconfig } from '../../kube/api.ts';
import * as cast from '../scenarios/cast.ts';
import { inRealWorld, type RealWorld } from './real-world.ts';

const count = 1000;

test(`X10: the resync asks after each of ${count} services, page by page, on a real API server`, async () => {
  await inRealWorld({ parents: () => [] }, async ({ place, ask }) => {
    const path = `/apis/frp.io/v1beta1/namespaces/${place.namespace}/distributedservices`;
    const names = Array.from({ length: count }, (_, index) => `web${index}`);
    for (let from = 0; from < count; from += 20) {
      await Promise.all(names.slice(from, from + 20).map((name) => ask('POST', path, cast.web(place, {}, { name }))));
    }
    const asked = new Set<string>();
    const access = await outsideCluster({ kubeconfig: testKubeconfig() });
    const pager = createCluster({
      access,
      version: 'faults',
      instance: 'faults',
      timeoutMs: 10_000,
      onLostNotice: () => undefined,
    });
    const kinds = [{ apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' }];
    const tick = { id: 'one', type: resyncTypes.tick, source: '/test', extensions: {} };
    const cursor = cursorIn(tick as never, kinds);
    const { pages, sent, next } = await announceParents(cursor, {
      kinds,
      pager,
      now: Date.now,
      workSeconds: 60,
      tell: async () => undefined,
      sender: {
        send: async ({ extensions }) => {
          if (extensions['namespace'] === place.namespace) asked.add(extensions['name'] ?? '');
        },
      },
      log: { debug: silent, info: silent, warn: silent, error: silent } as never,
    });
    assert.equal(next, undefined);
    assert.equal(asked.size, count);
    // The pages themselves, steps to where the round enters the list, and two pages that it cuts.
    assert.ok(pages >= count / 100 && pages <= sent / 100 + sent / 500 + 3, `${pages} pages for ${sent}`);
    await ask('DELETE', path);
  });
});

function silent(): void {}

/** Everything of ours as a tool for backups keeps it: without uid and resourceVersion, its owners by their old uid. */
async function backup({ place, see }: RealWorld): Promise<readonly KubeObject[]> {
  const refs: readonly ObjectRef[] = [
    cast.webRef(place),
    cast.refIn(place, 'Secret', 'frp-default-ca'),
    ...(Object.keys(childRoles) as ChildRole[]).map((role) => cast.childRef(place, role)),
  ];
  const kept = await Promise.all(refs.map(see));
  return kept.map(({ metadata, status, ...rest }) => {
    const { name, namespace, labels, annotations, finalizers, ownerReferences } = metadata;
    const whole = { name, namespace, labels, annotations, finalizers, ownerReferences };
    return { ...withoutAddress(rest), metadata: whole } as KubeObject;
  });
}

function withoutAddress(object: Readonly<Record<string, unknown>>): object {
  if (object['kind'] !== 'Service') return object;
  const { clusterIP, clusterIPs, ...spec } = object['spec'] as { clusterIP?: string; clusterIPs?: unknown };
  return { ...object, spec: clusterIP === 'None' ? { ...spec, clusterIP } : spec };
}

test('X15: what is put back from a backup under new uids is taken for what it is, and made right', async () => {
  await inRealWorld({ given: cast.withEveryChild }, async (world) => {
    const { place, user, see, find, settle, resync, state, restful } = world;
    const objects = await backup(world);
    const old = (await see(cast.webRef(place))).metadata.uid;
    await user.delete(cast.webRef(place));
    await user.gone(cast.webRef(place));
    for (const object of objects) if ((await find(refTo(object))) === undefined) await user.create(object);
    await settle();
    // First the garbage collector takes what belongs to the old uid, which has much else to do here.
    const until = Date.now() + 90_000;
    while (Date.now() < until && (await state()) !== 'Running') await resync();
    assert.equal(await state(), 'Running');
    for (const role of Object.keys(childRoles) as ChildRole[]) {
      const [owner] = (await see(cast.childRef(place, role))).metadata.ownerReferences ?? [];
      assert.ok(owner?.uid !== undefined && owner.uid !== old, role);
    }
    await restful();
  });
});

function refTo({ apiVersion, kind, metadata }: KubeObject): ObjectRef {
  return { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name };
}

test('X12: an authority that cannot sign, with a real issuer, is no fault of ours and is told', async () => {
  const other = await issuer.authority({
    commonName: 'other',
    notBefore: '2025-01-01T00:00:00Z',
    notAfter: '2055-01-01T00:00:00Z',
  });
  const encode = (text: string): string => Buffer.from(text).toString('base64');
  for (const data of [
    { 'tls.crt': encode('garbage'), 'tls.key': encode(other.key) },
    { 'tls.crt': encode(other.certificate), 'tls.key': encode('garbage') },
  ]) {
    await inRealWorld({ given: cast.withEveryChild }, async (world) => {
      const { place, user, see, settle, resync, condition } = world;
      const ref = cast.refIn(place, 'Secret', 'frp-default-ca');
      const { metadata, ...live } = await see(ref);
      await user.delete(ref);
      const { name, namespace, labels, ownerReferences } = metadata;
      await user.create({ ...live, data, metadata: { name, namespace, labels, ownerReferences } } as KubeObject);
      await settle();
      await resync();
      assert.equal(await condition('CertificatesReady'), 'False AuthorityInvalid');
    });
  }
});
