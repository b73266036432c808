import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { differs } from '../../../packages/controller/decide/differs.ts';
import type { ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import { pathOf } from '../../../packages/controller/testing/sim/user.ts';
import { annotations, type ChildRole, childRoles } from '../../../resources/distributed-service/names.ts';
import * as cast from '../scenarios/cast.ts';
import { givenOf, place } from '../sim/prepare.ts';
import { type Edit, editsOf, foreignFields } from './fields.ts';
import { inWorld, type World } from './world.ts';

const roles = Object.keys(childRoles) as ChildRole[];
const scenario = cast.aboutWeb({ name: 'every-child', given: cast.withEveryChild, when: async () => undefined });
const from = await givenOf(scenario);

/** What Knudge answers for: the object without what the API server and its controllers write. */
function wordsOf({ see }: World, ref: ObjectRef): unknown {
  const { metadata, status, spec, ...fields } = see(ref);
  // A Service that is made anew has another address.
  const { clusterIP, clusterIPs: _addresses, ...others } = spec ?? {};
  const said = clusterIP === 'None' ? { ...others, clusterIP } : others;
  const { labels: own, annotations = {}, ownerReferences } = metadata;
  const { 'deployment.kubernetes.io/revision': _revision, ...kept } = annotations;
  return { ...fields, spec: said, labels: own, annotations: kept, ownerReferences };
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

/** What came of an edit: the API server did not take it, it stays as somebody else's, or all of ours is as before. */
async function editOnce(world: World, ref: ObjectRef, { path, change }: Edit): Promise<'refused' | 'stays' | 'mended'> {
  const before = wordsOf(world, ref);
  try {
    await world.user.patch(ref, change);
  } catch {
    return 'refused';
  }
  const edited = wordsOf(world, ref);
  await world.settle();
  const writes = world.writes();
  const after = wordsOf(world, ref);
  await world.resync();
  assert.deepEqual(world.writes().slice(writes.length), [], `${path} is written about at rest`);
  if (isDeepStrictEqual(after, edited)) {
    const about = writes.filter((write) => write.endsWith(` ${ref.name}`));
    assert.deepEqual(about, [], `${path} stays, and is written about`);
    return 'stays';
  }
  // Another certificate is as good as the one that was, and so is another token, which is made where somebody says that this one is
  // another server's. What is theirs may stay beside ours.
  const isMadeAnew = path.startsWith('data.tls.') || path === `metadata.annotations.${annotations.server}`;
  if (!isMadeAnew) assert.ok(!differs(before, after), `${path}: ${JSON.stringify(after)}`);
  // For another token the tunnel ends and begins.
  const most = path === `metadata.annotations.${annotations.server}` ? 10 : 8;
  assert.ok(writes.length <= most, `${path}: ${writes.join(', ')}`);
  return 'mended';
}

for (const role of roles) {
  test(`X3: each field of the child ${role} that somebody edits or takes away is ours and brought back once, or stays`, async () => {
    const ref = cast.childRef(place, role);
    const edits: Edit[] = [];
    await inWorld({ from }, async ({ see }) => void edits.push(...editsOf(see(ref))));
    const mended = new Set<string>();
    for (const edit of edits) {
      await inWorld({ from }, async (world) => {
        if ((await editOnce(world, ref, edit)) === 'mended') mended.add(edit.path);
      });
    }
    assert.deepEqual(
      ours[role].filter((path) => !mended.has(path)),
      [],
      [...mended].join(', '),
    );
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
