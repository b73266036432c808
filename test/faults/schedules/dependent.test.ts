import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DescribedCall } from '../../../packages/controller/testing/calls/describe-call.ts';
import type { CallVerb } from '../../../packages/controller/testing/fault.ts';
import { areDependent } from './dependent.ts';

function call(verb: CallVerb, kind: string, at: string): DescribedCall {
  const [namespace = '', name = ''] = at.split('/');
  return { verb, resource: `${kind.toLowerCase()}s`, ref: { apiVersion: 'v1', kind, namespace, name } };
}

const rows: readonly [sentence: string, one: DescribedCall, other: DescribedCall, dependent: boolean][] = [
  ['two reads of one object commute', call('get', 'Pod', 'shop/a'), call('get', 'Pod', 'shop/a'), false],
  ['a read and a write of one object do not', call('get', 'Pod', 'shop/a'), call('apply', 'Pod', 'shop/a'), true],
  ['two writes of one object do not', call('create', 'Pod', 'shop/a'), call('delete', 'Pod', 'shop/a'), true],
  ['writes of two objects commute', call('apply', 'Pod', 'shop/a'), call('apply', 'Pod', 'shop/b'), false],
  ['objects of two kinds are two', call('apply', 'Pod', 'shop/a'), call('get', 'Secret', 'shop/a'), false],
  ['objects of two namespaces are two', call('apply', 'Pod', 'shop/a'), call('get', 'Pod', 'other/a'), false],
  [
    'a list sees what is written to any of its kind',
    call('list', 'Pod', 'shop/'),
    call('create', 'Pod', 'shop/a'),
    true,
  ],
  ['also one of every namespace', call('list', 'Pod', '/'), call('create', 'Pod', 'shop/a'), true],
  ['but not what is only read', call('list', 'Pod', 'shop/'), call('get', 'Pod', 'shop/a'), false],
];
for (const [sentence, one, other, dependent] of rows) {
  test(sentence, () => {
    assert.equal(areDependent(one, other), dependent);
    assert.equal(areDependent(other, one), dependent);
  });
}
