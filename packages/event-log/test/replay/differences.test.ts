import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { KubeObject } from '../../../controller/domain/kube-object.ts';
import type { Write } from '../../../controller/domain/plan.ts';
import { differencesOf } from '../../replay/differences.ts';
import { type ObjectPlan, plansIn, writesOf } from '../../replay/plans.ts';

const ref = { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: 'hello' };
const object = (more: Record<string, unknown> = {}, kind = 'ConfigMap'): KubeObject =>
  ({ apiVersion: 'v1', kind, metadata: { name: 'a', namespace: 'shop', ...more } }) as KubeObject;
const plan = (writes: readonly Write[], more: Partial<ObjectPlan['plan']> = {}): ObjectPlan => ({
  ref,
  plan: { writes, notices: [], again: false, ...more },
});
const create = (one: KubeObject): Write => ({ do: 'create', object: one });
const condition = (type: string, lastTransitionTime: string, reason = 'R') =>
  ({ type, status: 'True', reason, message: 'm', lastTransitionTime }) as const;
const precondition = (resourceVersion: string) => ({ uid: 'u', resourceVersion });
const hash = (value: string) => ({ annotations: { 'knudge.dev/spec-hash': value } });

suite('no difference', () => {
  const rows: readonly [string, ObjectPlan[], ObjectPlan[]][] = [
    ['nothing', [], []],
    ['a plan of nothing', [plan([])], []],
    [
      'the order of writes',
      [plan([create(object()), create(object({ name: 'b' }))])],
      [plan([create(object({ name: 'b' })), create(object())])],
    ],
    [
      'the order of fields',
      [plan([create(object({ labels: { a: '1', b: '2' } }))])],
      [plan([create(object({ labels: { b: '2', a: '1' } }))])],
    ],
    [
      'the object as it was read',
      [plan([{ do: 'apply', object: object(), live: object() }])],
      [plan([{ do: 'apply', object: object(), live: object({ uid: 'x' }) }])],
    ],
    [
      'versions as they were read',
      [plan([{ do: 'delete', ref, precondition: precondition('1'), propagation: 'Background' }])],
      [plan([{ do: 'delete', ref, precondition: precondition('2'), propagation: 'Background' }])],
    ],
    [
      'the order and the times of conditions',
      [plan([{ do: 'status', status: { conditions: [condition('A', '1'), condition('B', '1')] } }])],
      [plan([{ do: 'status', status: { conditions: [condition('B', '2'), condition('A', '2')] } }])],
    ],
    [
      'the order of finalizers',
      [plan([{ do: 'finalizers', finalizers: ['a', 'b'] }])],
      [plan([{ do: 'finalizers', finalizers: ['b', 'a'] }])],
    ],
    [
      'the hash over a Secret',
      [plan([create(object(hash('1'), 'Secret'))])],
      [plan([create(object(hash('2'), 'Secret'))])],
    ],
    [
      'the order of owners',
      [plan([create(object({ ownerReferences: [{ uid: 'a' }, { uid: 'b' }] }))])],
      [plan([create(object({ ownerReferences: [{ uid: 'b' }, { uid: 'a' }] }))])],
    ],
  ];
  for (const [sentence, one, other] of rows) test(sentence, () => assert.deepEqual(differencesOf(one, other), []));
});

suite('a difference', () => {
  const rows: readonly [string, ObjectPlan[], ObjectPlan[], unknown][] = [
    [
      'a write that only one has',
      [plan([create(object())])],
      [],
      { of: 'create ConfigMap shop/a', field: '', here: {} },
    ],
    [
      'a field',
      [plan([create(object({ labels: { 'a/b': '1' } }))])],
      [plan([create(object({ labels: { 'a/b': '2' } }))])],
      { of: 'create ConfigMap shop/a', field: '/metadata/labels/a~1b', here: '1', there: '2' },
    ],
    [
      'the hash over anything else',
      [plan([create(object(hash('1')))])],
      [plan([create(object(hash('2')))])],
      { field: '/metadata/annotations/knudge.dev~1spec-hash' },
    ],
    [
      'a reason',
      [plan([{ do: 'status', status: { conditions: [condition('A', '1', 'One')] } }])],
      [plan([{ do: 'status', status: { conditions: [condition('A', '1', 'Two')] } }])],
      { of: 'status Message shop/hello', field: '/conditions/A/reason', here: 'One', there: 'Two' },
    ],
    [
      'replicas',
      [plan([{ do: 'scale', ref, precondition: precondition('1'), replicas: 1 }])],
      [plan([{ do: 'scale', ref, precondition: precondition('1'), replicas: 2 }])],
      { of: 'scale Message shop/hello', field: '/replicas', here: 1, there: 2 },
    ],
    ['another look', [plan([], { again: true })], [plan([])], { of: 'another look at Message shop/hello', here: true }],
    [
      'an Event',
      [plan([])],
      [plan([], { notices: [{ type: 'Normal', reason: 'Made', note: 'n' }] })],
      { of: 'Event Made about Message shop/hello' },
    ],
    [
      'a nudge',
      [plan([], { nudge: { about: ref, namespace: 'shop', labelSelector: 'a', annotations: {} } })],
      [],
      { of: 'nudge by Message shop/hello' },
    ],
    [
      'a list',
      [plan([{ do: 'finalizers', finalizers: ['a'] }])],
      [plan([{ do: 'finalizers', finalizers: [] }])],
      { field: '/0', here: 'a' },
    ],
  ];
  for (const [sentence, one, other, wanted] of rows) {
    test(sentence, () => {
      const [found, ...more] = differencesOf(one, other);
      assert.partialDeepStrictEqual(found, wanted);
      assert.deepEqual(more, []);
    });
  }
});

test('a version that does not say which writes an Event reports is no different for that', () => {
  const notice = { type: 'Normal', reason: 'PodReplaced', note: 'n' } as const;
  const of = [{ apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'p' }];
  assert.deepEqual(differencesOf([plan([], { notices: [{ ...notice, of }] })], [plan([], { notices: [notice] })]), []);
});

test('plans are told in words, one line for each write', () => {
  const writes: Write[] = [create(object()), { do: 'status', status: { conditions: [] } }];
  assert.deepEqual(writesOf(plan(writes)), ['create ConfigMap shop/a', 'set the status of Message shop/hello']);
});

test('an answer without plans has none', () => {
  assert.deepEqual([plansIn(undefined), plansIn({}), plansIn({ plans: [plan([])] }).length], [[], [], 1]);
});
