import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Call, Transport } from '../../../packages/controller/cluster/call.ts';
import { KnudgeError } from '../../../packages/controller/domain/errors.ts';
import { readManifests } from '../../../packages/mesh/manifests/read-manifests.ts';
import { root } from '../../about.ts';
import { objectNow } from '../../console/now.ts';

const manifests = readManifests({ root });
const hello = { kind: 'Message', namespace: 'shop', name: 'hello' };
const metadata = { name: 'hello', namespace: 'shop', uid: 'u-1' };
const columns = [
  { name: 'Name' },
  { name: 'Phase' },
  { name: 'Wide', priority: 1 },
  { name: 'Age' },
  { name: 'Empty' },
];
const one = { cells: ['hello', 'Processed', 'wide', '3s', null], object: { metadata, status: { phase: 'Processed' } } };

/** An API server that answers with these rows for a path, and the calls that it got. */
function serving(rows: Readonly<Record<string, readonly object[] | KnudgeError>>) {
  const calls: Call[] = [];
  const transport: Transport = async (call) => {
    calls.push(call);
    const found = rows[call.path] ?? [];
    if (found instanceof KnudgeError) throw found;
    return { kind: 'Table', columnDefinitions: columns, rows: found };
  };
  return { calls, transport };
}

const path = '/apis/myorg.dev/v1/namespaces/shop/messages/hello';
const pods = '/api/v1/namespaces/shop/pods';
const secrets = '/api/v1/namespaces/shop/secrets';

suite('an object as the cluster has it', () => {
  test('with the columns of kubectl get, its status, and what carries its uid', async () => {
    const leaving = { name: 'msg-hello', namespace: 'shop', deletionTimestamp: '2026-03-01T00:00:00Z' };
    const { calls, transport } = serving({
      [path]: [one],
      [pods]: [{ cells: ['msg-hello', 'Running', '', '3s', ''], object: { metadata: leaving } }],
    });
    assert.deepEqual(await objectNow(hello, { transport, manifests }), {
      object: { ...hello, shown: { Phase: 'Processed' }, status: { phase: 'Processed' } },
      children: [{ kind: 'Pod', namespace: 'shop', name: 'msg-hello', shown: { Phase: 'Running' }, leaving: true }],
      unread: [],
    });
    const [first, ...lists] = calls;
    assert.deepEqual(first?.query, { includeObject: 'Object' });
    assert.ok(calls.every(({ method, accept }) => method === 'GET' && accept?.startsWith('application/json;as=Table')));
    assert.ok(lists.length > 5);
    // Whole objects are asked for of custom resources alone: no Secret's data comes here.
    for (const { query } of lists) assert.deepEqual(query, { labelSelector: 'knudge.dev/owner-uid=u-1', limit: '100' });
  });

  test('a kind that a person may not list is named, and the rest is shown', async () => {
    const refused = new KnudgeError('not-permitted', 'list of Secret: secrets is forbidden');
    const { transport } = serving({ [path]: [one], [secrets]: refused });
    const { unread, object } = await objectNow(hello, { transport, manifests });
    assert.deepEqual(unread, [{ kind: 'Secret', why: refused.message }]);
    assert.equal(object?.name, 'hello');
  });

  test('what is not there, and a kind that the cluster does not serve, is absent', async () => {
    for (const code of ['gone', 'kind-not-served'] as const) {
      const { transport } = serving({ [path]: new KnudgeError(code, 'no') });
      assert.deepEqual(await objectNow(hello, { transport, manifests }), { children: [], unread: [] });
    }
  });

  test('an error of the cluster, and a kind that nobody watches, are errors', async () => {
    const { transport } = serving({ [path]: new KnudgeError('unavailable', 'away') });
    await assert.rejects(objectNow(hello, { transport, manifests }), { code: 'unavailable' });
    const node = { kind: 'Node', namespace: '', name: 'one' };
    await assert.rejects(objectNow(node, { transport, manifests }), {
      code: 'invalid-request',
      message: /^No source watches a kind Node: Claim, ConfigMap, /,
    });
  });
});
