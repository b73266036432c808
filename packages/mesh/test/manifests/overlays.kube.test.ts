import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { root } from '../../../../test/house/files.ts';
import { frpServer } from '../../../../test/kube/frp-server.ts';
import { kustomized } from '../../../../test/kube/kustomized.ts';
import type { KubeObject } from '../../../controller/domain/kube-object.ts';
import { identityOf } from '../../manifests/order.ts';
import { readManifests } from '../../manifests/read-manifests.ts';

const server = frpServer();
after(() => server.remove());

/** What a cluster alone has a use for, by the folders that it is in. */
const passedOver = ['deploy/disruption-budgets', 'deploy/first-resync', 'deploy/frps', 'deploy/network-policies'];

const byIdentity = (objects: readonly KubeObject[]): ReadonlyMap<string, unknown> =>
  new Map(objects.map((one) => [identityOf(one), one] as const).sort(([one], [other]) => (one < other ? -1 : 1)));

for (const overlay of readdirSync('deploy/overlays')) {
  test(`what is read of the overlay ${overlay} is what kustomize makes of it`, async () => {
    const others = (await Promise.all(passedOver.map(kustomized))).flat();
    const made = await kustomized(`deploy/overlays/${overlay}`);
    const wanted = byIdentity(made);
    const read = byIdentity(readManifests({ root, overlay }).objects);
    assert.ok(read.size > 50);
    // Policies have names of their own in an overlay, and nothing here has a use for any.
    const isPolicy = (identity: string): boolean => identity.startsWith('ValidatingAdmissionPolicy');
    assert.deepEqual(
      [...wanted.keys()].filter((one) => !read.has(one) && !isPolicy(one)).sort(),
      others
        .map(identityOf)
        .filter((one) => wanted.has(one))
        .sort(),
    );
    for (const [identity, object] of read) assert.deepEqual(object, wanted.get(identity), identity);
  });
}
