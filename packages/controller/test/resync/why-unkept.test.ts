import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnudgeError } from '../../domain/errors.ts';
import { whyUnkept } from '../../resync/why-unkept.ts';

test('a Lease without its namespace says what makes the namespace', () => {
  const thrown = new KnudgeError('gone', 'create of Lease knudge/knudge-resync: namespaces "knudge" not found');
  const advice = 'kubectl create namespace knudge';
  assert.equal(whyUnkept(thrown), `there is no namespace knudge for Lease knudge-resync: ${advice}`);
});

test('any other reason is given as it is', () => {
  assert.equal(whyUnkept(new KnudgeError('not-permitted', 'forbidden')), 'forbidden');
});
