import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, KnudgeError } from '../../domain/errors.ts';
import type { ObjectRef } from '../../domain/kube-object.ts';
import { reconcileAll } from '../../functions/reconcile-all.ts';

const refOf = (name: string): ObjectRef => ({ apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name });

/** One parent for each code, which fails with it; `ok` does not. */
async function thrownBy(...codes: readonly (ErrorCode | 'ok')[]): Promise<KnudgeError> {
  const context = {
    reconcile: async ({ name }: ObjectRef) => {
      const code = codes[Number(name)];
      if (code === undefined || code === 'ok') return { result: 'done', reads: 1, writes: 0 } as const;
      throw new KnudgeError(code, `message ${name}`, {
        retryAfterSeconds: Number(name),
        counts: { reads: 2, writes: 1 },
      });
    },
  };
  try {
    await reconcileAll(
      codes.map((_, index) => refOf(String(index))),
      context,
    );
  } catch (error) {
    assert.ok(error instanceof KnudgeError);
    return error;
  }
  throw new Error('nothing failed');
}

const rows: readonly [first: ErrorCode, second: ErrorCode, told: ErrorCode][] = [
  ['invalid-object', 'unavailable', 'unavailable'],
  ['unavailable', 'invalid-object', 'unavailable'],
  ['invalid-object', 'internal', 'internal'],
  ['internal', 'throttled', 'throttled'],
  ['quota-exceeded', 'invalid-object', 'quota-exceeded'],
];
for (const [first, second, told] of rows) {
  test(`of ${first} and ${second} the event is answered with ${told}, and both are told`, async () => {
    const error = await thrownBy('ok', first, second);
    assert.equal(error.code, told);
    for (const message of ['message 1', 'message 2']) assert.ok(error.message.includes(message), error.message);
    assert.deepEqual(error.counts, { reads: 4, writes: 2 });
  });
}

test('one failure is told as it is', async () => {
  const error = await thrownBy('ok', 'conflict');
  assert.deepEqual([error.code, error.message, error.retryAfterSeconds], ['conflict', 'message 1', 1]);
});

test('of many that fail the first few are told, and how many more', async () => {
  const { message } = await thrownBy(...Array.from({ length: 12 }, () => 'conflict' as const));
  assert.match(message, /; 6 more$/);
});
