import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call, Transport } from '../../cluster/call.ts';
import { createReviewer } from '../../cluster/reviewer.ts';
import { KnudgeError } from '../../domain/errors.ts';

const wish = { verb: 'get', path: '/events' } as const;

interface World {
  isKnown: boolean;
  isAllowed: boolean;
  isAway: boolean;
}

function arrange() {
  const world: World = { isKnown: true, isAllowed: true, isAway: false };
  const calls: Call[] = [];
  const clock = { now: 0 };
  const transport: Transport = async (call) => {
    calls.push(call);
    if (world.isAway) throw new KnudgeError('unavailable', 'away');
    if (call.resource === 'subjectaccessreviews') return { status: { allowed: world.isAllowed } };
    const user = { username: 'ann', uid: 'u-1', groups: ['people'], extra: { scopes: ['a'] } };
    return world.isKnown ? { status: { authenticated: true, user } } : { status: { error: 'no such token' } };
  };
  return { world, calls, clock, review: createReviewer(transport, () => clock.now) };
}

test('a token is somebody, who may or may not', async () => {
  const { world, calls, review, clock } = arrange();
  assert.equal(await review('t', wish), 'allowed');
  assert.deepEqual(
    calls.map(({ method, path, body }) => [method, path, (body as { spec: unknown }).spec]),
    [
      ['POST', '/apis/authentication.k8s.io/v1/tokenreviews', { token: 't' }],
      [
        'POST',
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        { user: 'ann', uid: 'u-1', groups: ['people'], extra: { scopes: ['a'] }, nonResourceAttributes: wish },
      ],
    ],
  );
  clock.now = 10_001;
  world.isAllowed = false;
  assert.equal(await review('t', wish), 'forbidden');
});

test('a token that is nobody is asked for no right', async () => {
  const { world, calls, review } = arrange();
  world.isKnown = false;
  assert.equal(await review('t', wish), 'unauthenticated');
  assert.equal(calls.length, 1);
});

test('what was said is remembered for ten seconds, for this token and this wish', async () => {
  const { calls, review, clock } = arrange();
  await Promise.all([review('t', wish), review('t', wish)]);
  clock.now = 9999;
  await review('t', wish);
  assert.equal(calls.length, 2);
  await review('u', wish);
  await review('t', { ...wish, verb: 'post' });
  assert.equal(calls.length, 6);
  clock.now = 10_000;
  await review('t', wish);
  assert.equal(calls.length, 8);
});

test('what failed is not remembered, and no more than a bound is', async () => {
  const { world, calls, review } = arrange();
  world.isAway = true;
  await assert.rejects(review('t', wish), { code: 'unavailable' });
  world.isAway = false;
  assert.equal(await review('t', wish), 'allowed');
  for (let n = 0; n < 500; n += 1) await review(`other-${n}`, wish);
  const before = calls.length;
  await review('t', wish);
  assert.equal(calls.length, before + 2);
});
