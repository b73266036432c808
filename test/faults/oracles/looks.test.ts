import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labels } from '../../../packages/controller/domain/names.ts';
import type { TracedCall } from '../../../packages/controller/testing/trace.ts';
import { isByList, withListedChildren } from './looks.ts';

const parent = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService', namespace: 'shop', name: 'web' };
const owner = answered({ verb: 'get', resource: 'distributedservices', ref: parent, query: {} }, 200, {
  metadata: { name: 'web', namespace: 'shop', uid: 'u' },
});
const configMaps = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: '' };

type Call = Pick<TracedCall, 'verb' | 'resource' | 'ref' | 'query'>;

function answered(call: Call, status: number, body: unknown): TracedCall {
  const seen = { status, body };
  return { ...call, at: 1, run: 1, body: undefined, done: seen, seen };
}

function list(labelSelector: string, status = 200): TracedCall {
  const items = [{ metadata: { name: 'frp-web-config', namespace: 'shop', resourceVersion: '7' } }];
  const call = { verb: 'list', resource: 'configmaps', ref: configMaps, query: { labelSelector } } as const;
  return answered(call, status, { items });
}

function told(calls: readonly TracedCall[]): readonly string[] {
  return withListedChildren({ calls }).map(({ verb, ref, seen }) => `${verb} ${ref.name} ${seen.status}`);
}

test('a list by the uid of an owner that was read is a GET of each child of that kind', () => {
  const calls = [owner, list(`${labels.ownerUid}=u`)];
  assert.deepEqual(told(calls), ['get web 200', 'get frp-web-config 200', 'get frp-web-endpoints 404']);
  assert.deepEqual(withListedChildren({ calls }).map(isByList), [false, true, true]);
});

test('one that failed tells of none of them', () => {
  const calls = [owner, list(`${labels.ownerUid}=u`, 503)];
  assert.deepEqual(told(calls), ['get web 200', 'get frp-web-config 503', 'get frp-web-endpoints 503']);
});

test('any other list stays what it is', () => {
  for (const selector of [`${labels.ownerUid}=other`, `${labels.ownerUid}`, `${labels.ownerUid}=u,a=b`, '']) {
    assert.deepEqual(told([owner, list(selector)]), ['get web 200', 'list  200'], selector);
  }
});
