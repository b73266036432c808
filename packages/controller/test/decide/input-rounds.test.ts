import assert from 'node:assert/strict';
import { test } from 'node:test';
import { message } from '../../../../test/build/objects.ts';
import { inputRounds } from '../../decide/input-rounds.ts';

const services = { what: 'list', apiVersion: 'frp.io/v1beta1', kind: 'DistributedService', namespace: '' } as const;
const asking = { children: new Map(), tries: true, controllerNamespace: 'knudge', hash: (text: string) => text };

test('lists that differ in the fields they select by are asked for each, once', () => {
  const byField = ['spec.serverProfile=a', 'spec.serverProfile=b', 'spec.serverProfile=a'].map((fieldSelector) => ({
    name: 'services',
    query: { ...services, labelSelector: '', fieldSelector },
  }));
  const rounds = inputRounds({ inputs: (_, { found }) => byField.slice(0, found.size + 2) }, message(), asking);
  const [first, second] = [rounds.next(), rounds.next([[], []])];
  assert.deepEqual(first.value, byField.slice(0, 2));
  assert.equal(second.done, true);
});
