import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { labels } from '../../../packages/controller/domain/names.ts';
import { type ChildRole, childRoles } from '../../../resources/distributed-service/names.ts';
import * as cast from '../scenarios/cast.ts';
import { givenOf, place } from '../sim/prepare.ts';
import { inWorld } from './world.ts';

const roles = Object.keys(childRoles) as ChildRole[];
const scenario = cast.aboutWeb({ name: 'every-child', given: cast.withEveryChild, when: async () => undefined });
const from = await givenOf(scenario);

for (const role of roles) {
  for (const [what, change] of [
    ['its labels', { labels: null }],
    ['its owner', { ownerReferences: null }],
  ] as const) {
    test(`X4: the child ${role} gets back ${what} and stays the same object`, async () => {
      const ref = cast.childRef(place, role);
      await inWorld({ from }, async (world) => {
        const original = world.see(ref);
        await world.user.patch(ref, { metadata: change });
        await world.resync();
        const now = world.see(ref);
        assert.equal(now.metadata.uid, original.metadata.uid);
        assert.deepEqual(now.metadata.labels, original.metadata.labels);
        assert.deepEqual(now.metadata.ownerReferences, original.metadata.ownerReferences);
        await world.rest();
      });
    });
  }
}

test('X4: a child without labels and owner is nobody’s: it is not touched, and the service says so', async () => {
  await inWorld({ from }, async ({ user, see, settle, condition, rest, writes }) => {
    const ref = cast.childRef(place, 'config');
    await user.patch(ref, { metadata: { labels: null, ownerReferences: null, annotations: { 'example.com/x': 'y' } } });
    const before = writes().length;
    await cast.wake(user, cast.webRef(place));
    await settle();
    assert.equal(condition('ConfigurationValid'), 'False NameConflict');
    assert.deepEqual(
      writes()
        .slice(before)
        .filter((write) => write.includes('configmaps')),
      [],
    );
    assert.equal(see(ref).metadata.labels, undefined);
    await rest();
  });
});

const foreign = (one: KubeObject, uid: string): KubeObject => ({
  ...one,
  metadata: {
    ...one.metadata,
    labels: { ...one.metadata.labels, [labels.managedBy]: 'knudge', [labels.ownerUid]: uid },
  },
});

test('X4: our labels on somebody’s objects of other names do not make them ours, in life or in deletion', async () => {
  await inWorld({ from }, async ({ user, see, find, settle, rest }) => {
    const uid = see(cast.webRef(place)).metadata.uid ?? '';
    const theirs = [
      foreign(cast.profile(place, {}, 'theirs'), uid),
      foreign(cast.plainService(place, 'theirs'), uid),
      foreign(cast.workload(place, 1, { name: 'theirs' }), uid),
      foreign(cast.suppliedSecret(place, 'one', 'theirs'), uid),
    ];
    for (const object of theirs) await user.create(object);
    await settle();
    const refs = theirs.map(({ apiVersion, kind, metadata }) => ({
      apiVersion,
      kind,
      namespace: place.namespace,
      name: metadata.name,
    }));
    const versions = () => refs.map((ref) => find(ref)?.metadata.generation ?? find(ref)?.metadata.resourceVersion);
    const before = versions();
    await cast.wake(user, cast.webRef(place));
    await settle();
    await user.delete(cast.webRef(place));
    await settle();
    assert.equal(find(cast.webRef(place)), undefined);
    assert.deepEqual(versions(), before);
    await rest();
  });
});
