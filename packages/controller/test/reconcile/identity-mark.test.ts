import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { MemoryCluster } from '../../../../test/build/memory-cluster.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { running, tunnel } from '../../../../test/build/running-service.ts';
import { tunnelPod } from '../../../../test/build/tunnel-pod.ts';
import { canonical } from '../../decide/canonical.ts';
import { KnudgeError } from '../../domain/errors.ts';
import type { KubeObject } from '../../domain/kube-object.ts';
import { digestOf, identity, identityRef, ref, tokenAfter } from './tokens.ts';

const identityMark = 'knudge.dev/identity';
const specHash = 'knudge.dev/spec-hash';

interface Templated extends KubeObject {
  readonly spec: {
    readonly template: { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } };
  };
}

async function template(cluster: MemoryCluster): Promise<Templated['spec']['template']> {
  return ((await cluster.get(tunnel)) as Templated).spec.template;
}

test('a token that is made anew replaces the Pod once: a kubelet shows what it has of an immutable Secret as long as a Pod mounts it', async () => {
  const cluster = await running();
  const before = await template(cluster);
  cluster.remove(identityRef);
  await tokenAfter(cluster);
  const after = await template(cluster);
  assert.notDeepEqual(after, before);
  await reconcileOn(cluster, ref);
  assert.deepEqual(await template(cluster), after);
});

for (const stop of [0, 1, 2, 3]) {
  test(`the Pod is replaced too where the pass that makes the token anew stops after ${stop} writes`, async () => {
    const cluster = await running();
    const before = await template(cluster);
    cluster.remove(identityRef);
    let writes = 0;
    cluster.before = ({ verb }) => {
      if (verb.startsWith('get') || verb === 'list') return;
      writes += 1;
      if (writes === stop + 1) throw new KnudgeError('unavailable', 'the function was stopped');
    };
    await reconcileOn(cluster, ref).catch(() => undefined);
    cluster.before = undefined;
    await tokenAfter(cluster);
    assert.notDeepEqual(await template(cluster), before);
  });
}

/** The tunnel as a version made it that did not mark the Pod template. */
async function makeOlder(cluster: MemoryCluster): Promise<Templated['spec']['template']> {
  const made = cluster.calls.find(({ verb, ref: at }) => verb === 'create' && at.kind === 'Deployment');
  assert.ok(made?.object);
  const { metadata, spec, ...rest } = made.object as Templated;
  const { [identityMark]: mark, ...annotations } = spec.template.metadata.annotations ?? {};
  assert.equal(mark, digestOf(await identity(cluster)));
  const template = { ...spec.template, metadata: { ...spec.template.metadata, annotations } };
  const { annotations: _, ...bare } = metadata;
  const older = { ...rest, metadata: bare, spec: { ...spec, template } };
  const hash = createHash('sha256').update(canonical(older)).digest('hex').slice(0, 32);
  const live = (await cluster.get(tunnel)) as Templated;
  const hashed = { ...live.metadata, annotations: { [specHash]: hash } };
  cluster.put({
    ...live,
    metadata: hashed,
    spec: { ...live.spec, template: { ...live.spec.template, ...template } },
  } as KubeObject);
  return ((await cluster.get(tunnel)) as Templated).spec.template;
}

test('a mark that somebody takes away comes back', async () => {
  const cluster = await running();
  const live = (await cluster.get(tunnel)) as Templated;
  const { [identityMark]: _, ...annotations } = live.spec.template.metadata.annotations ?? {};
  const bare = { ...live.spec.template, metadata: { ...live.spec.template.metadata, annotations } };
  cluster.put({ ...live, spec: { ...live.spec, template: bare } } as KubeObject);
  await tokenAfter(cluster);
  assert.deepEqual(await template(cluster), live.spec.template);
});

test('a Pod that an older version made stays as it is as long as its token does', async () => {
  const cluster = await running();
  const older = await makeOlder(cluster);
  await tokenAfter(cluster);
  assert.deepEqual(await template(cluster), older);
  cluster.remove(identityRef);
  await tokenAfter(cluster);
  assert.notDeepEqual(await template(cluster), older);
});

for (const isOlder of [false, true])
  test(`the next Pod begins when no Pod is there that mounts the token before${isOlder ? ', one of an older version' : ''}`, async () => {
    const cluster = await running();
    const { uid = '' } = (await cluster.get(ref))?.metadata ?? {};
    const replicas = async () => ((await cluster.get(tunnel)) as { spec?: { replicas?: number } }).spec?.replicas;
    const annotated = async () => ({ annotations: { [identityMark]: digestOf(await identity(cluster)) } });
    if (isOlder) await makeOlder(cluster);
    const pod = tunnelPod({ uid, ...(!isOlder && { metadata: await annotated() }) });
    cluster.put(pod);
    await reconcileOn(cluster, ref);
    assert.equal(await replicas(), 1);
    cluster.remove(identityRef);
    await tokenAfter(cluster);
    assert.equal(await replicas(), 0);
    await reconcileOn(cluster, ref);
    assert.equal(await replicas(), 0, 'it is still there');
    cluster.put({ ...pod, status: { phase: 'Succeeded' } } as KubeObject);
    await reconcileOn(cluster, ref);
    assert.equal(await replicas(), 1, 'its kubelet has let go of it');
    cluster.put(tunnelPod({ name: 'frp-web-2', uid, metadata: await annotated() }));
    await reconcileOn(cluster, ref);
    assert.equal(await replicas(), 1);
  });
