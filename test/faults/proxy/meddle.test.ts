import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe, type KubeObject, type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { meddle } from '../../../packages/controller/testing/calls/meddle.ts';
import type { Meddling } from '../../../packages/controller/testing/fault.ts';
import { Refused, type User } from '../../../packages/controller/testing/user.ts';
import { object } from '../../build/objects.ts';
import { meddlings } from '../kinds/parse-action.ts';

const parent = object('myorg.dev/v1 Message', 'hello', {
  metadata: { finalizers: ['x/y'], resourceVersion: '5' },
  spec: { text: 'hi' },
});
const pod = object('Pod', 'msg-hello', {
  metadata: { labels: { a: 'b' }, resourceVersion: '5' },
  spec: { nodeName: 'n' },
});

/** A user of a cluster of two objects, who notes what they do; what has finalizers stays when it is deleted. */
function open(...there: readonly KubeObject[]) {
  const objects = new Map(there.map((one) => [describe(refOf(one)), one]));
  const did: string[] = [];
  const user: User = {
    get: async (ref) => objects.get(describe(ref)),
    list: async () => [],
    create: async (made) => {
      did.push(`create ${JSON.stringify(made)}`);
      return made;
    },
    patch: async (ref, change) => {
      did.push(`patch ${describe(ref)} ${JSON.stringify(change)}`);
      if (JSON.stringify(change).includes('finalizers')) objects.delete(describe(ref));
      return parent;
    },
    delete: async (ref) => {
      did.push(`delete ${describe(ref)}`);
      if ((objects.get(describe(ref))?.metadata.finalizers ?? []).length === 0) objects.delete(describe(ref));
    },
    rest: async () => {},
    gone: async () => {},
    resync: async () => {},
  };
  return { user, did };
}

const podAgain =
  'create {"apiVersion":"v1","kind":"Pod","metadata":{"name":"msg-hello","namespace":"shop","labels":{"a":"b"},"annotations":{}},"spec":{"containers":[{"name":"app","image":"app"}]}}';
const parentAgain =
  'create {"apiVersion":"myorg.dev/v1","kind":"Message","metadata":{"name":"hello","namespace":"shop","labels":{},"annotations":{}},"spec":{"text":"hi"}}';

const rows: readonly [Meddling, ObjectRef, readonly string[]][] = [
  ['touch', refOf(pod), ['patch Pod shop/msg-hello {"metadata":{"labels":{"example.com/touched":"v5"}}}']],
  ['touch', refOf(object('Pod', 'none')), []],
  ['delete', refOf(pod), ['delete Pod shop/msg-hello']],
  ['replace', refOf(pod), ['delete Pod shop/msg-hello', podAgain]],
  ['squat', refOf(pod), []],
  ['edit-parent', refOf(pod), ['patch Message shop/hello {"metadata":{"annotations":{"example.com/edited":"v5"}}}']],
  ['delete-parent', { ...refOf(pod), name: '' }, ['delete Message shop/hello']],
  [
    'recreate-parent',
    refOf(parent),
    ['delete Message shop/hello', 'patch Message shop/hello {"metadata":{"finalizers":null}}', parentAgain],
  ],
];

test('somebody writes to the object of the call or to its parent, where that makes sense', async () => {
  for (const [how, ref, wanted] of rows) {
    const { user, did } = open(parent, pod);
    await meddle(how, { ref }, { user, parents: [refOf(parent)] });
    assert.deepEqual(did, wanted, how);
  }
});

test('what the API server refuses somebody does not happen, and every other failure is told', async () => {
  for (const how of meddlings) {
    const there = how === 'squat' ? [] : [parent, pod];
    const meddleAs = (error: Error) => {
      const fail = () => Promise.reject(error);
      const user = { ...open(...there).user, create: fail, patch: fail, delete: fail };
      return meddle(how, { ref: refOf(pod) }, { user, parents: [refOf(parent)] });
    };
    await meddleAs(new Refused('the namespace is going'));
    await assert.rejects(meddleAs(new Error('not reached')), /not reached/, how);
  }
});

test('a squatter is as small as its kind allows', async () => {
  for (const [kind, has] of [
    ['apps/v1 Deployment', '"matchLabels":{"example.com/app":"x"}'],
    ['Service', '"ports":[{"port":80}]'],
    ['Pod', '"image":"example.com/image:1"'],
    ['ConfigMap', '"example.com/owner":"somebody"'],
  ] as const) {
    const { user, did } = open();
    await meddle('squat', { ref: refOf(object(kind, 'x')) }, { user, parents: [] });
    assert.ok(did[0]?.includes(has), `${kind}: ${did[0] ?? ''}`);
  }
});
