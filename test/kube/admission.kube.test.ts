import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../src/domain/kube-object.ts';
import { object } from '../build/objects.ts';
import { labelled, message, useAdmission } from './admission.ts';
import { ask, putObjects } from './admission-ask.ts';
import { administrator, admissionRows } from './admission-rows.ts';
import { pathOf } from './install.ts';
import { until } from './until.ts';

const given = useAdmission(putObjects);

const children = [
  ['v1', 'ConfigMap', 'frp-web-endpoints', 'DistributedService web'],
  ['v1', 'Secret', 'frp-web-identity', 'DistributedService web'],
  ['v1', 'Service', 'frp-web-balanced', 'DistributedService web'],
  ['apps/v1', 'Deployment', 'frp-web', 'DistributedService web'],
  ['v1', 'Pod', 'msg-hello', 'Message hello'],
] as const;

for (const [apiVersion, kind, name, owner] of children) {
  test(`the ${kind} ${name} is neither changed nor deleted by others, who are told what to change`, async () => {
    const { arena, namespace } = given();
    const path = pathOf(apiVersion, kind, { namespace, name });
    for (const { status, body } of [
      await arena.api('PATCH', path, { ...labelled('a', 'b'), as: administrator }),
      await arena.api('DELETE', path, { as: administrator }),
    ]) {
      assert.equal(status, 403, JSON.stringify(body));
      const { message } = body as { message: string };
      assert.ok(message.includes(`Knudge alone changes it: change its owner, the ${owner}`), message);
    }
  });
}

test("what is nobody's child is changed and deleted as ever", async () => {
  const { arena, namespace } = given();
  const both = { 'knudge.dev/owner-uid': 'x', 'app.kubernetes.io/managed-by': 'knudge' };
  for (const labels of [{}, both, { 'knudge.dev/owner-uid': 'x' }, { 'app.kubernetes.io/managed-by': 'knudge' }]) {
    await arena.put(object('ConfigMap', 'mine', { metadata: { namespace, labels } }));
    const path = pathOf('v1', 'ConfigMap', { namespace, name: 'mine' });
    assert.equal((await arena.api('PATCH', path, { ...labelled('a', 'b'), as: administrator })).status, 200);
    assert.equal((await arena.api('DELETE', path, { as: administrator })).status, 200);
  }
});

test("a tunnel's Pod is its ReplicaSet's, and may be deleted like any other", async () => {
  const { arena, namespace } = given();
  const pods = await arena.list('v1', 'Pod', namespace);
  const pod = pods.find(({ metadata }) => metadata.name.startsWith('frp-web-'));
  assert.ok(pod);
  const path = pathOf('v1', 'Pod', { namespace, name: pod.metadata.name });
  assert.equal((await arena.api('DELETE', path, { as: administrator })).status, 200);
});

test('nobody but Knudge claims a port or a domain by a label', async () => {
  const { arena, namespace } = given();
  const service = (labels: Record<string, string>): KubeObject =>
    object('Service', 'thief', { metadata: { namespace, labels }, spec: { clusterIP: 'None' } });
  const claimed = service({ 'claim.frp.io/abc': 'held' });
  const collection = pathOf('v1', 'Service', { namespace });
  const { status, body } = await arena.api('POST', collection, { body: claimed, as: administrator });
  assert.equal(status, 403);
  assert.match((body as { message: string }).message, /Knudge alone sets them: leave them out/);
  await arena.put(service({ app: 'thief' }));
  const path = pathOf('v1', 'Service', { namespace, name: 'thief' });
  assert.equal(
    (await arena.api('PATCH', path, { ...labelled('claim.frp.io/abc', 'held'), as: administrator })).status,
    403,
  );
  assert.equal((await arena.api('PATCH', path, labelled('app', 'other'))).status, 200);
});

for (const row of admissionRows) {
  const { who, does, to, subresource, refused } = row;
  const what = `${does} ${to[1]} ${to[2]}${subresource === undefined ? '' : `, its ${subresource},`} ${JSON.stringify(row.body ?? '')}`;
  test(`${who} ${refused ? 'may not' : 'may'} ${what}`, async () => {
    const { status, body } = await ask(given(), row);
    const { message: said = '' } = body as { message?: string };
    if (refused) assert.match(said, /Knudge alone (changes it|sets them)/, `${status} ${said}`);
    else assert.ok(status < 300, `${status} ${said}`);
  });
}

test("Knudge's own changes and those of the cluster's controllers go on", { timeout: 120_000 }, async () => {
  const { arena, namespace, build, pod, endpointsOf, addressOf } = given();
  await arena.put(pod('web-2', { 'frp.io/service': 'web' }));
  await until('the new backend is among the endpoints', async () =>
    (await endpointsOf('web')).includes(await addressOf('web-2')),
  );
  await arena.remove(build('web'));
  await arena.remove(message(namespace));
  await until('the children are gone', async () => {
    const found = await Promise.all(
      children.map(([apiVersion, kind, name]) => arena.get(apiVersion, kind, { namespace, name })),
    );
    return found.every((child) => child === undefined) || found.map((child) => child?.metadata);
  });
});
