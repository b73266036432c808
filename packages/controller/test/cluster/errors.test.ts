import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusal } from '../../cluster/errors.ts';
import { change, failure, read } from './build.ts';
import { refusals } from './refusals.ts';

for (const { name, status, body, read: ofRead, write: ofWrite } of refusals) {
  for (const [what, call, want] of [
    ['read', read, ofRead],
    ['write', change, ofWrite],
  ] as const) {
    if (want === undefined) continue;
    test(`${name}: a ${what} is ${want}`, () => {
      assert.equal(refusal(call, { status, body, retryAfterSeconds: undefined }).code, want);
    });
  }
}

test('an error says which call failed and repeats what the API server said', () => {
  const { message } = refusal(change, {
    status: 409,
    body: failure(409, 'Conflict', 'it was modified'),
    retryAfterSeconds: undefined,
  });
  assert.equal(message, 'apply of ConfigMap shop/web: it was modified');
});

test('what the API server said is cut', () => {
  const body = failure(422, 'Invalid', 'x'.repeat(10_000));
  assert.ok(refusal(change, { status: 422, body, retryAfterSeconds: undefined }).message.length < 500);
});

test('a Status without words is named by its code and reason', () => {
  const { message } = refusal(change, {
    status: 409,
    body: failure(409, 'Conflict', ''),
    retryAfterSeconds: undefined,
  });
  assert.equal(message, 'apply of ConfigMap shop/web: the API server answered 409 Conflict');
});

test('a failed test of a JSON patch is a conflict, an invalid result is not', () => {
  const call = { ...change, contentType: 'application/json-patch+json' };
  const words = 'the server rejected our request due to an error in our request';
  const failed = { ...failure(422, 'Invalid', words), details: {} };
  const causes = [{ reason: 'FieldValueInvalid', message: 'Invalid value: -1', field: 'spec.replicas' }];
  const invalid = { ...failure(422, 'Invalid'), details: { causes } };
  const codes = [failed, invalid].map(
    (body) => refusal(call, { status: 422, body, retryAfterSeconds: undefined }).code,
  );
  assert.deepEqual(codes, ['conflict', 'invalid-object']);
});

test('of a Secret only the fields are told: the words may quote its data', () => {
  const causes = [{ reason: 'FieldValueInvalid', message: 'Invalid value: "canary"', field: 'data[token]' }];
  const body = {
    ...failure(422, 'Invalid', 'Secret "x" is invalid: data[token]: Invalid value: "canary"'),
    details: { causes },
  };
  const { message } = refusal(
    { ...change, resource: 'secrets', target: 'Secret shop/x' },
    { status: 422, body, retryAfterSeconds: undefined },
  );
  assert.equal(message, 'apply of Secret shop/x: the API server answered 422, Invalid, data[token]');
});
