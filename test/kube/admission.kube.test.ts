import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Claim } from '../../resources/distributed-service/claims/types.ts';
import { object } from '../build/objects.ts';
import { labelled, message, useAdmission } from './admission.ts';
import { ask, putObjects } from './admission-ask.ts';
import { administrator, admissionRows, knudge, older } from './admission-rows.ts';
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

/** With a namespace all goes that is in it. */
const collector = {
  user: 'system:serviceaccount:kube-system:namespace-controller',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
};

test('nobody but Knudge writes a Claim, in its namespace or in any other', async () => {
  const { arena, namespace } = given();
  const held = (await arena.list('frp.io/v1beta1', 'Claim', 'knudge')).find(
    (claim) => (claim as Claim).spec.namespace === namespace,
  );
  assert.ok(held, 'web holds its port');
  const path = pathOf('frp.io/v1beta1', 'Claim', { namespace: 'knudge', name: held.metadata.name });
  const { apiVersion, kind, spec } = held as Claim;
  const refused = async (...call: Parameters<typeof arena.api>): Promise<void> => {
    const { status, body } = await arena.api(...call);
    assert.equal(status, 403);
    assert.match(
      (body as { message: string }).message,
      /Knudge alone writes it: change or delete the DistributedService/,
    );
  };
  for (const home of ['knudge', namespace]) {
    const body = { apiVersion, kind, metadata: { name: 'claim-mine', namespace: home }, spec };
    await refused('POST', pathOf(apiVersion, kind, { namespace: home }), { body, as: administrator });
  }
  await refused('PATCH', path, { ...labelled('a', 'b'), as: administrator });
  // No function of an older version wrote one.
  for (const as of [administrator, older]) await refused('DELETE', path, { as });
  for (const as of [collector, knudge])
    assert.equal((await arena.api('DELETE', path, { as, query: { dryRun: 'All' } })).status, 200, as.user);
});

for (const row of admissionRows) {
  const { who, does, to, subresource, refused } = row;
  const what = `${does} ${to[1]} ${to[2]}${subresource === undefined ? '' : `, its ${subresource},`} ${JSON.stringify(row.body ?? '')}`;
  test(`${who} ${refused ? 'may not' : 'may'} ${what}`, async () => {
    const { status, body } = await ask(given(), row);
    const { message: said = '' } = body as { message?: string };
    if (refused) assert.match(said, /Knudge alone changes it/, `${status} ${said}`);
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
