import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createCluster } from '../../cluster/cluster.ts';
import type { KubeObject } from '../../domain/kube-object.ts';
import { refOf } from '../../domain/kube-object.ts';
import { failure } from './build.ts';
import { type Reply, serve } from './loopback.ts';

const canary = 'c2VjcmV0LWNhbmFyeQ==';
const secret: KubeObject & { readonly data: unknown } = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'web', namespace: 'shop', uid: 'u-1', resourceVersion: '7' },
  data: { token: canary },
};
const ref = refOf(secret);
const precondition = { uid: 'u-1', resourceVersion: '7' };

/** Answers that quote what they were sent, as webhooks and proxies do. */
const replies: Readonly<Record<string, Reply>> = {
  'a webhook that quotes': {
    status: 403,
    body: failure(403, '', `admission webhook "x" denied the request: ${canary}`),
  },
  'a validation that quotes': {
    status: 422,
    body: {
      ...failure(422, 'Invalid', `data[token]: Invalid value: "${canary}"`),
      details: { causes: [{ field: 'data[token]', message: canary }] },
    },
  },
  'a conflict that quotes': { status: 409, body: failure(409, 'Conflict', canary) },
  'a fault that quotes': { status: 500, body: failure(500, 'InternalError', canary) },
  'a proxy that quotes': { status: 502, headers: { 'content-type': 'text/html' }, body: `<h1>${canary}</h1>` },
  'a success that is none': { status: 200, body: `{"data":"${canary}"` },
  'another object': { status: 200, body: { ...secret, kind: 'ConfigMap' } },
  'no Status': { status: 403, body: { error: canary } },
};

for (const [name, reply] of Object.entries(replies)) {
  test(`${name}: neither data nor token of a Secret is in an error, its cause or its stack`, async (t) => {
    const server = await serve(t, () => reply);
    const access = { server: server.url, credentials: async () => ({ authorization: `Bearer ${canary}` }) };
    const cluster = createCluster({ access, version: '1', instance: 'x', onLostNotice: () => undefined });
    const works = [
      cluster.get(ref),
      cluster.getMetadata(ref),
      cluster.list({ ...ref, labelSelector: '' }),
      cluster.create(secret),
      cluster.apply(secret, secret),
      cluster.finalizers(ref, precondition, []),
    ];
    for (const { status, ...result } of await Promise.allSettled(works)) {
      assert.equal(status, 'rejected');
      assert.doesNotMatch(inspect(result, { depth: 20, showHidden: true }), new RegExp(canary));
    }
  });
}
