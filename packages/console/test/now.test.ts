import assert from 'node:assert/strict';
import { it } from 'node:test';
import { partsOf, withNow, wordsOf } from '../model/now.ts';

const pod = { kind: 'Pod', namespace: 'shop', name: 'msg-hello' };

it('a row says what kubectl get says', () => {
  assert.equal(wordsOf({ ...pod, shown: { Ready: '1/1', Status: 'Running' } }), 'Ready 1/1, Status Running');
  assert.equal(wordsOf({ ...pod, shown: { Ready: '0/1' }, leaving: true }), 'Ready 0/1, being deleted');
});

it('children have their state in the cluster, and their last one where that is not known', () => {
  const logged = [
    { ...pod, state: 'Pending' },
    { kind: 'Pod', namespace: 'shop', name: 'gone', state: 'deleted' },
    { kind: 'Secret', namespace: 'shop', name: 'kept', state: 'seen' },
  ];
  assert.deepEqual(withNow(logged, undefined), logged);
  const more = { kind: 'ConfigMap', namespace: '', name: 'new', shown: { Data: '2' } };
  const now = {
    children: [{ ...pod, shown: { Status: 'Running' } }, more],
    unread: [{ kind: 'Secret', why: 'forbidden' }],
  };
  assert.deepEqual(
    withNow(logged, now).map(({ name, state }) => [name, state]),
    [
      ['msg-hello', 'Status Running'],
      ['gone', 'not in the cluster'],
      ['kept', 'seen'],
      ['new', 'Data 2'],
    ],
  );
});

it('a status is its conditions, its values and its lists', () => {
  const condition = { type: 'Ready', status: 'True' };
  const endpoints = [
    { address: '10.0.0.1', port: 80 },
    { address: '10.0.0.2', ready: true },
  ];
  assert.deepEqual(partsOf({ state: 'Running', activeEndpoints: 2, conditions: [condition], endpoints, none: [] }), {
    conditions: [condition],
    values: [
      ['state', 'Running'],
      ['activeEndpoints', '2'],
      ['none', '[]'],
    ],
    lists: [
      {
        name: 'endpoints',
        heads: ['address', 'port', 'ready'],
        rows: [
          ['10.0.0.1', '80', ''],
          ['10.0.0.2', '', 'true'],
        ],
      },
    ],
  });
  assert.deepEqual(partsOf({ conditions: 'odd' }), { conditions: [], values: [], lists: [] });
});
