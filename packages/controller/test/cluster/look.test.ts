import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Call } from '../../cluster/call.ts';
import { createLook } from '../../cluster/look.ts';
import { type ErrorCode, KnudgeError } from '../../domain/errors.ts';

const triggers = { apiVersion: 'eventing.knative.dev/v1', kind: 'Trigger', plural: 'triggers' };
const pods = { apiVersion: 'v1', kind: 'Pod', plural: 'pods' };

/** Looks where each call is answered with the next of these; gives the calls too. */
function looking(...answers: readonly (object | ErrorCode)[]) {
  const calls: Call[] = [];
  const look = createLook(async (call) => {
    const answer = answers[calls.length];
    calls.push(call);
    if (typeof answer === 'string') throw new KnudgeError(answer, 'no');
    return answer;
  });
  return { look, calls };
}

const item = (name: string) => ({ metadata: { name } });
const list = (name: string, token?: string) => ({
  kind: 'TriggerList',
  metadata: { ...(token !== undefined && { continue: token }) },
  items: [item(name)],
});

it('reads one object of any group, under its own kind', async () => {
  const { look, calls } = looking({ kind: 'Trigger', ...item('a b') });
  const found = await look.get(triggers, { namespace: 'knudge', name: 'a b' });
  assert.equal(found?.apiVersion, triggers.apiVersion);
  assert.equal(calls[0]?.path, '/apis/eventing.knative.dev/v1/namespaces/knudge/triggers/a%20b');
});

it('reads a list to its end, page by page', async () => {
  const { look, calls } = looking(list('a', 'more'), list('b'));
  const found = await look.list(triggers, { labelSelector: 'x=y' });
  assert.deepEqual(
    found.map(({ metadata }) => metadata.name),
    ['a', 'b'],
  );
  assert.deepEqual(
    calls.map(({ query }) => query),
    [
      { limit: '500', labelSelector: 'x=y' },
      { limit: '500', labelSelector: 'x=y', continue: 'more' },
    ],
  );
});

it('ends a list that never ends', async () => {
  const { look, calls } = looking(...Array.from({ length: 12 }, () => list('a', 'more')));
  assert.equal((await look.list(pods)).length, 10);
  assert.equal(calls.length, 10);
  assert.equal(calls[0]?.path, '/api/v1/pods');
});

for (const code of ['gone', 'kind-not-served'] as const) {
  it(`finds nothing where the answer is ${code}`, async () => {
    assert.equal(await looking(code).look.get(pods, { namespace: 'a', name: 'b' }), undefined);
    assert.deepEqual(await looking(code).look.list(pods), []);
  });
}

it('tells every other refusal', async () => {
  await assert.rejects(looking('not-permitted').look.get(pods, { namespace: 'a', name: 'b' }), {
    code: 'not-permitted',
  });
  await assert.rejects(looking('unavailable').look.list(pods), { code: 'unavailable' });
});

it('asks a question that is stored nowhere', async () => {
  const { look, calls } = looking({ status: { allowed: true } });
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', plural: 'subjectaccessreviews' };
  assert.deepEqual(await look.ask(review, { spec: { user: 'u' } }), { status: { allowed: true } });
  const [{ method, path, body } = { method: '', path: '', body: {} }] = calls;
  assert.deepEqual({ method, path }, { method: 'POST', path: '/apis/authorization.k8s.io/v1/subjectaccessreviews' });
  assert.deepEqual(body, { apiVersion: review.apiVersion, kind: review.kind, spec: { user: 'u' } });
});

it('says whether the cluster has an API', async () => {
  const { look, calls } = looking({ kind: 'APIResourceList' }, 'gone', 'unauthorized');
  assert.equal(await look.serves('eventing.knative.dev/v1'), true);
  assert.equal(await look.serves('serving.knative.dev/v1'), false);
  await assert.rejects(look.serves('sources.knative.dev/v1'));
  assert.equal(calls[0]?.path, '/apis/eventing.knative.dev/v1');
});
