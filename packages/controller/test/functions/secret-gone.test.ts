import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitionOf } from '../../../../test/build/greeting-crd.ts';
import { defineResource } from '../../decide/define.ts';
import { notYet, yes } from '../../decide/defined/ready.ts';
import { addKinds } from '../../domain/known-kinds.ts';
import { embedded } from './embedded.ts';

const apiVersion = 'example.org/v1';
addKinds({ 'example.org/v1/Vault': { plural: 'vaults', namespaced: true } });

/** What stands before and after the name of a Vault in that of its Secret. */
const vaultWith = (before: string, after: string) =>
  defineResource()({
    apiVersion,
    kind: 'Vault',
    children: ({ name }) => ({ key: { apiVersion: 'v1', kind: 'Secret', name: `${before}${name}${after}` } }),
    desired: () => ({ key: { data: { key: btoa('secret') } } }),
    ready: ({ children: { key } }) => (key === undefined ? notYet('Waiting', 'It will') : yes('Ready', 'It works')),
    status: ({ state }) => ({ phase: state }),
  });

/** A cluster with this Vault at rest, and the Secret that was made for it. */
async function atRest(resource: ReturnType<typeof vaultWith>, name: string) {
  const world = embedded([resource], [definitionOf('Vault', {})]);
  const owner = { apiVersion, kind: 'Vault', namespace: 'shop', name };
  world.api.create({ apiVersion, kind: 'Vault', metadata: { name, namespace: 'shop' }, ...{ spec: {} } });
  await world.drain();
  const [secret] = resource.children(owner).values();
  assert.ok(secret !== undefined && world.api.get(secret) !== undefined);
  return { ...world, owner, secret };
}

const rows: readonly [sentence: string, name: string, before: string, after: string][] = [
  ['has its owner’s name', 'ada', '', ''],
  ['begins with its owner’s name', 'ada', '', '-key'],
  ['ends with its owner’s name', 'ada', 'key-of-', ''],
  ['has its owner’s name in the middle', 'ada', 'key-', '-of'],
  ['is shortened after its owner’s name', 'a'.repeat(40), 'key-', '-of-the-vault-with-a-long-name'],
];
for (const [sentence, name, before, after] of rows) {
  test(`a Secret that is deleted is made again by its own event where its name ${sentence}`, async () => {
    const { api, drain, secret } = await atRest(vaultWith(before, after), name);
    api.delete(secret);
    await drain();
    assert.ok(api.get(secret));
  });
}

test('where the name of its owner was shortened, the next resync makes it again', async () => {
  const { api, drain, resync, secret } = await atRest(vaultWith('', '-key'), 'a'.repeat(70));
  api.delete(secret);
  await drain();
  assert.equal(api.get(secret), undefined);
  await resync();
  assert.ok(api.get(secret));
});

test('where its owner is gone, or no name fits, one read at most says so and nothing is reconciled', async () => {
  const { controller, owner } = await atRest(vaultWith('', '-key'), 'ada');
  const row = controller.functions['secret-changed'];
  assert.ok(row?.wakes === 'change');
  for (const [name, wanted] of [
    ['bob-key', ['Secret bob-key', 'Vault bob']],
    ['bob-other', ['Secret bob-other']],
    ['-key', ['Secret -key']],
  ] as const) {
    const read: string[] = [];
    const reader = {
      getMetadata: async (ref: { readonly kind: string; readonly name: string }) =>
        void read.push(`${ref.kind} ${ref.name}`),
    };
    const change = { ref: { apiVersion: 'v1', kind: 'Secret', namespace: owner.namespace, name } };
    const reconcile = () => assert.fail('reconciled');
    assert.deepEqual(await row.handle(change as never, { reader, reconcile } as never), []);
    assert.deepEqual(read, wanted);
  }
});
