import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { differs } from '../../../src/decide/differs.ts';
import type { KubeObject, ObjectRef } from '../../../src/domain/kube-object.ts';
import { type ChildRole, childRoles, labels } from '../../../src/domain/names.ts';
import * as cast from '../scenarios/cast.ts';
import { givenOf, place } from '../sim/prepare.ts';
import { pathOf } from '../sim/user.ts';
import { editsOf, foreignFields } from './fields.ts';
import { inWorld, type World } from './world.ts';

const roles = Object.keys(childRoles) as ChildRole[];
const scenario = cast.aboutWeb({ name: 'every-child', given: cast.withEveryChild, when: async () => undefined });
const from = await givenOf(scenario);

/** What Knudge answers for: the object without what the API server and its controllers write. */
function wordsOf({ see }: World, ref: ObjectRef): unknown {
  const { metadata, status, ...rest } = see(ref);
  const { labels: own, annotations = {}, ownerReferences } = metadata;
  const { 'deployment.kubernetes.io/revision': _revision, ...kept } = annotations;
  return { ...rest, labels: own, annotations: kept, ownerReferences };
}

/** Fields of each child that Knudge answers for, so that no edit of them may stay. */
const ours: Readonly<Record<ChildRole, readonly string[]>> = {
  identity: ['metadata.labels.knudge.dev/owner-uid'],
  tls: ['data.tls.crt', 'data.tls.key'],
  config: ['data.frpc.json', 'data.envoy.json'],
  endpoints: ['data.eds.json'],
  backends: ['spec.selector.app'],
  balanced: ['spec.ports.0.port', 'spec.selector.frp.io/tunnel'],
  tunnel: ['spec.replicas', 'spec.template.spec.containers.0.image', 'spec.template.spec.automountServiceAccountToken'],
};

for (const role of roles) {
  test(`X3: each field of the child ${role} that somebody edits or takes away is ours and brought back once, or stays`, async () => {
    const ref = cast.childRef(place, role);
    await inWorld({ from }, async (world) => {
      const mended = new Set<string>();
      for (const { change, path } of editsOf(world.see(ref))) {
        const before = wordsOf(world, ref);
        try {
          await world.user.patch(ref, change);
        } catch {
          // The API server keeps it as it is: an immutable field, or one that would make no sense.
          continue;
        }
        const edited = wordsOf(world, ref);
        const count = world.writes().length;
        await world.settle();
        const writes = world.writes().slice(count);
        if (isDeepStrictEqual(wordsOf(world, ref), edited)) {
          assert.deepEqual(writes, [], `${path} stays, and is written about`);
          continue;
        }
        mended.add(path);
        // Another certificate is as good as the one that was. An item under another key is theirs, beside ours.
        if (!path.startsWith('data.tls.')) assert.ok(!differs(before, wordsOf(world, ref)), path);
        assert.ok(writes.length <= 6, `${path}: ${writes.join(', ')}`);
      }
      assert.deepEqual(ours[role].filter((path) => !mended.has(path)), [], [...mended].join(', '));
      await world.rest();
    });
  });

  test(`X3: the child ${role} comes back when it is deleted`, async () => {
    const ref = cast.childRef(place, role);
    await inWorld({ from }, async ({ user, settle, see, rest, state }) => {
      const { uid } = see(ref).metadata;
      await user.delete(ref);
      await settle();
      assert.notEqual(see(ref).metadata.uid, uid);
      assert.equal(state(), 'Running');
      await rest();
    });
  });
}

for (const { what, role, change, kept } of foreignFields) {
  test(`X3: ${what} stays, and causes no write`, async () => {
    await inWorld({ from }, async ({ user, see, settle, writes, rest, resync }) => {
      const ref = cast.childRef(place, role);
      await user.patch(ref, change(see(ref)));
      const before = writes().length;
      await settle();
      await resync();
      assert.deepEqual(writes().slice(before), []);
      assert.ok(kept(see(ref)), JSON.stringify(see(ref)));
      await user.patch(cast.webRef(place), { spec: { expose: { remotePort: 7002 } } });
      await settle();
      assert.ok(kept(see(ref)), 'it went with an update of ours');
      await rest();
    });
  });
}

test('X3: somebody who insists gets one answer to each of his edits, and no war', async () => {
  await inWorld({ from }, async ({ user, settle, writes, rest, state }) => {
    const ref = cast.childRef(place, 'tunnel');
    const before = writes().length;
    for (let round = 0; round < 10; round += 1) {
      await user.patch(ref, { spec: { replicas: 3 + round } });
      await settle();
    }
    const applies = writes()
      .slice(before)
      .filter((write) => write.startsWith('apply deployments'));
    assert.equal(applies.length, 10);
    assert.equal(state(), 'Running');
    await rest();
  });
});

test('X3: an autoscaler that scales the service is followed, and nobody scales back', async () => {
  const workloadRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'app' } as const;
  const backends = { discovery: 'auto', port: 8080, replicas: 2, workloadRef } as const;
  const given = () => [cast.profile(place), cast.workload(place, 2), cast.web(place, { backends })];
  await inWorld({ given }, async ({ simulation, see, settle, resync, writes, rest }) => {
    simulation.ask('MERGE', `${pathOf(cast.webRef(place))}/scale`, { spec: { replicas: 4 } });
    await settle();
    const replicas = () => see(cast.refIn(place, 'apps/v1 Deployment', 'app')).spec?.['replicas'];
    assert.equal(replicas(), 4);
    const before = writes().length;
    await resync();
    assert.deepEqual(writes().slice(before), []);
    await rest();
  });
});

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
    assert.deepEqual(writes().slice(before).filter((write) => write.includes('configmaps')), []);
    assert.equal(see(ref).metadata.labels, undefined);
    await rest();
  });
});

const foreign = (one: KubeObject, uid: string): KubeObject => ({
  ...one,
  metadata: { ...one.metadata, labels: { ...one.metadata.labels, [labels.managedBy]: 'knudge', [labels.ownerUid]: uid } },
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
      ...{ apiVersion, kind, namespace: place.namespace, name: metadata.name },
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
