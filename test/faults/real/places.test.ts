import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiAnswer } from '../../../packages/controller/testing/calls/spoilt-answer.ts';
import { createPlaces, viewOf } from './places.ts';

const nextPlace = createPlaces();
const [mine, other] = [nextPlace(), nextPlace()];
const namespaces = ['default', ...Object.values(other), ...Object.values(mine)];

async function seen(path: string, method = 'GET', status = 200): Promise<readonly string[]> {
  const items = namespaces.map((namespace) => ({ metadata: { name: 'web', namespace } }));
  const answer: ApiAnswer = { status, contentType: 'application/json', headers: {}, text: JSON.stringify({ items }) };
  const view = viewOf(mine, async () => answer);
  const { text } = await view({ method, path, headers: {}, body: undefined });
  const list = JSON.parse(text) as { readonly items: typeof items };
  return list.items.map(({ metadata }) => metadata.namespace);
}

test('each run has namespaces of its own', () => {
  assert.equal(new Set([...Object.values(mine), ...Object.values(other)]).size, 4);
});

test('a list of the whole cluster shows a run nothing of other runs, and all else is as it is', async () => {
  const services = 'distributedservices?limit=500';
  assert.deepEqual(await seen(`/apis/frp.io/v1beta1/${services}`), ['default', ...Object.values(mine)]);
  assert.deepEqual(await seen(`/apis/frp.io/v1beta1/namespaces/${other.namespace}/${services}`), namespaces);
  assert.deepEqual(await seen('/apis/frp.io/v1beta1/distributedservices', 'POST'), namespaces);
  assert.deepEqual(await seen('/apis/frp.io/v1beta1/distributedservices', 'GET', 500), namespaces);
});
