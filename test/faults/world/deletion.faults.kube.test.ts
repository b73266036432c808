import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as cast from '../scenarios/cast.ts';
import { inRealWorld, type RealWorld } from './real-world.ts';

const given = cast.withEveryChild;
const children = ['identity', 'tls', 'config', 'endpoints', 'backends', 'balanced', 'tunnel'] as const;

async function leftOf({ place, find }: RealWorld): Promise<readonly string[]> {
  const found = await Promise.all(
    children.map(async (role) => [role, await find(cast.childRef(place, role))] as const),
  );
  return found.flatMap(([role, child]) => (child === undefined ? [] : [role]));
}

for (const policy of ['Background', 'Foreground', 'Orphan'] as const) {
  test(`X7: deleted with ${policy} on a real API server, a service takes all of its own with it`, async () => {
    await inRealWorld({ given }, async (world) => {
      const { place, user } = world;
      await user.delete(cast.webRef(place), policy);
      await user.gone(cast.webRef(place));
      assert.deepEqual(await leftOf(world), []);
    });
  });
}

test('X7: the Pod of a Message that was deleted with Orphan is nobody’s: its successor leaves it and says so', async () => {
  const parents = (place: RealWorld['place']) => [cast.helloRef(place)];
  await inRealWorld({ given: (place) => [cast.hello(place)], parents }, async (world) => {
    const { place, user, see, settle, condition } = world;
    const pod = cast.refIn(place, 'Pod', 'msg-hello');
    const { uid } = (await see(pod)).metadata;
    await user.delete(cast.helloRef(place), 'Orphan');
    await user.gone(cast.helloRef(place));
    await user.create(cast.hello(place, 'another'));
    await settle();
    assert.equal((await see(pod)).metadata.uid, uid);
    assert.equal(await condition('Ready', cast.helloRef(place)), 'False NameConflict');
  });
});

for (const listens of [true, false]) {
  const how = listens ? 'with its events' : 'with its sources of events gone before it, by the resync alone';
  test(`X8: a namespace is deleted ${how}: its services let it go`, async () => {
    await inRealWorld({ given }, async ({ place, ask, settle, resync, find }) => {
      const namespace = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: place.namespace };
      await ask('DELETE', `/api/v1/namespaces/${place.namespace}`);
      if (listens) await settle();
      const end = performance.now() + 60_000;
      while ((await find(namespace)) !== undefined) {
        assert.ok(performance.now() < end, 'the namespace is still there after 60 s');
        await resync();
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    });
  });
}
