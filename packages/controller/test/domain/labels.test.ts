import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLabelSelector } from '../../../kube-api/objects/select.ts';
import { isLabelKey, isLabelValue } from '../../domain/labels.ts';

/** The answers of `validation.IsQualifiedName` of k8s.io/apimachinery 0.35.4, which `labels.Parse` asks of a key. */
const keys: readonly (readonly [key: string, isKey: boolean])[] = [
  ...['a', 'A_b.c-d', '1234', 'a/b', 'a.b/X_1', '1.2/3', 'a-b.c-d/e', 'a--b/c', 'requests.storage-foo'].map(allowed),
  ...['a'.repeat(63), `${'a'.repeat(253)}/${'b'.repeat(63)}`, `${'a.'.repeat(126)}a/b`, `${'a'.repeat(64)}.b/c`].map(
    allowed,
  ),
  ...['a..b/x', 'a.-b/x', 'a-.b/x', '.a/x', 'a./x', '-a/x', 'a-/x', 'A/x', 'a_b/x', '/x', 'a/', 'a/b/c'].map(refused),
  ...['', 'a//b', '-a', 'a-', '_a', '.a', '*', 'a b', 'a,b', 'a=b', '!a', 'a in (b)', 'a\n', 'é', 'a.b/é'].map(refused),
  ...['a'.repeat(64), `${'a'.repeat(254)}/x`, `${'a.'.repeat(127)}a/x`, `a/${'b'.repeat(64)}`].map(refused),
];
for (const [key, isKey] of keys) {
  const shown = key.length > 40 ? `${key.slice(0, 4)}… of ${String(key.length)} characters` : JSON.stringify(key);
  test(`${shown} is ${isKey ? 'the' : 'no'} key of a label`, () => assert.equal(isLabelKey(key), isKey));
}

test('the API server takes a query with each of these keys, and refuses one with any other', () => {
  // These signs end a key in a query, so the API server never sees them in one.
  for (const [key, isKey] of keys.filter(([one]) => !/[\s,=!<>()]/.test(one))) {
    const asked = (): unknown => parseLabelSelector(`${key}=x`);
    if (isKey) assert.doesNotThrow(asked, key);
    else assert.throws(asked, key);
  }
});

test('a value of a label may be empty and has 63 characters at most', () => {
  for (const value of ['', 'a', 'A_b.c-d', '1', 'a'.repeat(63)]) assert.ok(isLabelValue(value), value);
  for (const value of ['-a', 'a-', 'a/b', 'a b', 'a,b', 'a\n', 'a'.repeat(64)]) assert.ok(!isLabelValue(value), value);
});

function allowed(key: string): readonly [string, true] {
  return [key, true];
}

function refused(key: string): readonly [string, false] {
  return [key, false];
}
