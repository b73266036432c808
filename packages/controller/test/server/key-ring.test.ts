import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { createLocalJWKSet } from 'jose';
import { KnudgeError } from '../../domain/errors.ts';
import { createKeyRing } from '../../server/key-ring.ts';

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const named = (kid: string) => ({ ...publicKey.export({ format: 'jwk' }), kid });
const away = new KnudgeError('unavailable', 'away');

/** A ring over a list that a test changes, and a clock that it moves. */
function arrange(keys: readonly unknown[] = [named('one')]) {
  const world = { keys, now: 0, reads: 0, isAway: false };
  const read = async (): Promise<readonly unknown[]> => {
    world.reads += 1;
    if (world.isAway) throw away;
    return world.keys;
  };
  const keyOf = createKeyRing({ read, finderIn: createLocalJWKSet, elapsed: () => world.now });
  return Object.assign(world, { has: async (kid: string) => (await keyOf({ alg: 'ES256', kid })) !== undefined });
}

test('the keys are read when one is first needed, once for all who wait', async () => {
  const ring = arrange();
  assert.deepEqual(await Promise.all([ring.has('one'), ring.has('one'), ring.has('none')]), [true, true, false]);
  assert.equal(ring.reads, 1);
});

test('an unknown key is asked for again after ten seconds, not before', async () => {
  const ring = arrange();
  await ring.has('two');
  ring.keys = [named('one'), named('two')];
  ring.now = 9_999;
  assert.equal(await ring.has('two'), false);
  assert.equal(ring.reads, 1);
  ring.now = 10_000;
  assert.equal(await ring.has('two'), true);
  assert.equal(ring.reads, 2);
});

test('a key that was taken away is gone after ten minutes', async () => {
  const ring = arrange();
  await ring.has('one');
  ring.keys = [named('two')];
  ring.now = 599_999;
  assert.equal(await ring.has('one'), true);
  ring.now = 600_000;
  assert.equal(await ring.has('one'), false);
});

test('where the keys cannot be read nobody is told that his is wrong, and it is tried again after a second', async () => {
  const ring = arrange();
  ring.isAway = true;
  await assert.rejects(ring.has('one'), away);
  await assert.rejects(ring.has('one'), away);
  assert.equal(ring.reads, 1);
  ring.isAway = false;
  ring.now = 1_000;
  assert.equal(await ring.has('one'), true);
  assert.equal(await ring.has('none'), false);
});

test('old keys are kept while new ones cannot be read', async () => {
  const ring = arrange();
  await ring.has('one');
  ring.isAway = true;
  ring.now = 700_000;
  assert.equal(await ring.has('one'), true);
  await assert.rejects(ring.has('two'), away);
});

test('what is no key for signatures is passed over', async () => {
  const odd = [null, 'text', {}, { kid: 'odd', kty: 'nonsense' }, { ...named('secret'), use: 'enc' }, { kid: 7 }];
  const ring = arrange([...odd, named('one')]);
  assert.deepEqual(await Promise.all(['one', 'odd', 'secret', '7'].map(ring.has)), [true, false, false, false]);
});
