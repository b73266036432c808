import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distributedService, given, object } from '../../../../test/build/objects.ts';
import { planChildren } from '../../decide/children.ts';
import { stamp } from '../../decide/owned.ts';
import type { KubeObject } from '../../domain/kube-object.ts';

const owner = distributedService('web', {}, { uid: 'owner-1', resourceVersion: '5' });
const desired = stamp(object('ConfigMap', 'frp-web-config', { data: { a: '1' } }), owner, given());
const live: KubeObject = { ...desired, metadata: { ...desired.metadata, uid: 'child-1', resourceVersion: '7' } };
const [reference] = desired.metadata.ownerReferences ?? [];
assert.ok(reference);

function withMetadata(metadata: Partial<KubeObject['metadata']>): KubeObject {
  return { ...live, metadata: { ...live.metadata, ...metadata } };
}

interface Row {
  readonly sentence: string;
  readonly live: KubeObject | undefined;
  readonly wanted?: false;
  readonly writes: readonly string[];
  readonly foreign?: number;
  readonly leaving?: number;
}

const rows: readonly Row[] = [
  { sentence: 'what is missing is created', live: undefined, writes: ['create'] },
  { sentence: 'what is as it should be is left alone', live, writes: [] },
  {
    sentence: 'a field that somebody changed is brought back',
    live: { ...live, data: { a: '2' } } as KubeObject,
    writes: ['apply'],
  },
  {
    sentence: 'a label that somebody took away is brought back',
    live: withMetadata({ labels: {} }),
    writes: ['apply'],
  },
  {
    sentence: 'an owner reference that somebody took away is brought back',
    live: withMetadata({ ownerReferences: [] }),
    writes: ['apply'],
  },
  {
    sentence: 'a field that is no longer desired is seen by the hash',
    live: withMetadata({ annotations: {} }),
    writes: ['apply'],
  },
  {
    sentence: 'a child that is being deleted is waited for',
    live: withMetadata({ deletionTimestamp: 'now' }),
    writes: [],
    leaving: 1,
  },
  {
    sentence: 'a child of an owner of the same name that is gone is waited for',
    live: withMetadata({ ownerReferences: [{ ...reference, uid: 'owner-0' }] }),
    writes: [],
    leaving: 1,
  },
  {
    sentence: 'a child of somebody else is never touched',
    live: withMetadata({ ownerReferences: [{ ...reference, name: 'other', uid: 'x' }] }),
    writes: [],
    foreign: 1,
  },
  {
    sentence: 'an object of nobody is never touched',
    live: withMetadata({ ownerReferences: [], labels: {} }),
    writes: [],
    foreign: 1,
  },
  { sentence: 'a child that is no longer wanted is deleted', live, wanted: false, writes: ['delete'] },
  {
    sentence: 'an object of nobody is not deleted either',
    live: withMetadata({ ownerReferences: [], labels: {} }),
    wanted: false,
    writes: [],
  },
];
for (const row of rows) {
  test(row.sentence, () => {
    const work = planChildren(owner, {
      desired: new Map(row.wanted === false ? [] : [['config', desired]]),
      observed: new Map([['config', row.live]]),
    });
    assert.deepEqual(
      work.writes.map((write) => write.do),
      row.writes,
    );
    assert.equal(work.foreign.length, row.foreign ?? 0);
    assert.equal(work.leaving.length, row.leaving ?? 0);
    for (const write of work.writes) {
      if (write.do === 'delete') assert.deepEqual(write.precondition, { uid: 'child-1', resourceVersion: '7' });
    }
  });
}
