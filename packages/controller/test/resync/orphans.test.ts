import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looked } from '../../../../functions/resync-due.ts';
import { type ErrorCode, KnudgeError } from '../../domain/errors.ts';
import type { KubeObject, ObjectMeta } from '../../domain/kube-object.ts';
import type { Notice } from '../../domain/plan.ts';
import type { Pager } from '../../domain/ports.ts';
import { tellOrphans } from '../../resync/orphans.ts';
import { announceParents } from '../../resync/page.ts';
import { arrange, begin, range } from './arrange.ts';

const parentKinds = [
  { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' },
  { apiVersion: 'myorg.dev/v1', kind: 'Message' },
];
const ours = { 'app.kubernetes.io/managed-by': 'knudge', 'knudge.dev/owner-uid': 'u-gone' };

function child(metadata: Partial<ObjectMeta> = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'frp-web', namespace: 'shop', labels: ours, ...metadata },
  };
}

/** What the resync reports of children in a cluster with these parents, and which lists that took. */
async function look(children: readonly KubeObject[], uids: readonly string[] = [], refusal?: ErrorCode) {
  const told: Notice[] = [];
  const lists: string[] = [];
  const page: Pager['page'] = async ({ apiVersion, kind, namespace }, { token, limit, metadataOnly }) => {
    assert.ok(metadataOnly);
    lists.push(`${kind} ${namespace}`);
    if (refusal !== undefined && kind !== 'Message') throw new KnudgeError(refusal, 'no');
    const all = kind === 'Message' ? uids : [];
    const from = Number(token);
    const objects = all.slice(from, from + limit).map((uid) => ({ apiVersion, kind, metadata: { name: uid, uid } }));
    return { objects, next: from + limit < all.length ? String(from + limit) : '', remaining: 0 };
  };
  const warnings: object[] = [];
  const log = { info: () => {}, warn: (fields: object) => void warnings.push(fields) };
  const tell = async (_: KubeObject, notice: Notice) => void told.push(notice);
  await tellOrphans(children, { parentKinds, pager: { page }, log, tell });
  return { told, lists, warnings };
}

test('a child whose parent is gone is told, with the command that removes it', async () => {
  const { told, warnings } = await look([child()]);
  const note =
    'What Service shop/frp-web was made for is gone, and nothing removes it. If nobody needs it: kubectl --namespace shop delete service frp-web';
  assert.deepEqual(told, [{ type: 'Warning', reason: 'Orphaned', note }]);
  assert.deepEqual(warnings, [{ kind: 'Service', namespace: 'shop', name: 'frp-web' }]);
});

const others: readonly [sentence: string, metadata: Partial<ObjectMeta>][] = [
  [
    'whose owner reference gives it to the garbage collector',
    { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'web', uid: 'u-gone', controller: true }] },
  ],
  ['that is going', { deletionTimestamp: '2026-01-01T00:00:00Z' }],
];
for (const [sentence, metadata] of others) {
  test(`one ${sentence} is not told, and costs no read`, async () => {
    const { told, lists } = await look([child(metadata)]);
    assert.deepEqual([told, lists], [[], []]);
  });
}

test('one whose parent is there, on whatever page, is its parent’s to mend', async () => {
  const { told } = await look([child()], [...range(700), 'u-gone']);
  assert.deepEqual(told, []);
});

test('parents of a kind that is not served are none; where they cannot be read nothing is told', async () => {
  assert.equal((await look([child()], [], 'kind-not-served')).told.length, 1);
  assert.deepEqual((await look([child()], ['u-gone'], 'kind-not-served')).told, []);
  await assert.rejects(look([child()], [], 'unavailable'), { code: 'unavailable' });
});

test('of very many only some have an Event, and the others are counted', async () => {
  const { told, warnings } = await look(range(250).map((name) => child({ name })));
  assert.equal(told.length, 20);
  assert.deepEqual(warnings.at(-1), { more: 230 });
});

test('the parents of a namespace are read once for all of its children', async () => {
  const { told, lists } = await look([child(), child({ name: 'frp-b' }), child({ namespace: 'other' })]);
  assert.equal(told.length, 3);
  assert.deepEqual(lists, ['DistributedService shop', 'Message shop', 'DistributedService other', 'Message other']);
});

test('a round looks at children by their label, metadata alone, and asks after none of them', async () => {
  const names = { DistributedService: ['web'], Message: [], Deployment: range(1200), Service: range(3), Pod: [] };
  const { parts, asked, sent } = arrange(names);
  const progress = await announceParents(begin, { ...parts, childKinds: looked });
  assert.equal(progress.sent, 1);
  assert.ok(progress.isWhole);
  assert.deepEqual(
    sent.map(({ extensions }) => extensions['kind']),
    ['DistributedService'],
  );
  const kinds = [...new Set(asked.map(({ kind }) => kind))].sort();
  assert.deepEqual(kinds, [...parentKinds, ...looked].map(({ kind }) => kind).sort());
  assert.ok(asked.every(({ metadataOnly }) => metadataOnly));
  const byLabel = new Map(asked.map(({ kind, labelSelector }) => [kind, labelSelector]));
  assert.equal(byLabel.get('Service'), 'app.kubernetes.io/managed-by=knudge,knudge.dev/owner-uid');
  assert.equal(byLabel.get('Pod'), 'app.kubernetes.io/managed-by=knudge,knudge.dev/owner-uid,!pod-template-hash');
  assert.equal(byLabel.get('Message'), '');
});
