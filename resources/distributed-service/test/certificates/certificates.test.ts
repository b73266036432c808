import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distributedService } from '../../../../test/build/objects.ts';
import { isLeafDue, questionOf } from '../../certificates/certificates.ts';
import type { DistributedServiceSpec } from '../../types.ts';

const names = ['web.shop.distributedservices.frp.io'];
const facts = { notBefore: '2026-01-01T00:00:00Z', notAfter: '2026-01-07T00:00:00Z', dnsNames: names };

/** When the authority ends. */
const until = '2036-01-01T00:00:00Z';

const rows: readonly [sentence: string, now: string, is: boolean][] = [
  ['that begins in more than an hour, because a clock was wrong', '2025-12-31T22:59:59Z', true],
  ['that begins in an hour, because clocks differ', '2025-12-31T23:00:00Z', false],
  ['that is young', '2026-01-01T00:10:00Z', false],
  ['of which a second is left to two thirds of its life', '2026-01-04T23:59:59Z', false],
  ['of which two thirds are over', '2026-01-05T00:00:00Z', true],
  ['that has ended', '2026-01-08T00:00:00Z', true],
];
for (const [sentence, now, is] of rows) {
  test(`a leaf ${sentence} is ${is ? 'made anew' : 'kept'}`, () => {
    assert.equal(isLeafDue(facts, names, { now, until }), is);
  });
}

test('a leaf that does not hold, or is for other names, is made anew', () => {
  const now = '2026-01-02T00:00:00Z';
  assert.ok(isLeafDue(undefined, names, { now, until }));
  assert.ok(isLeafDue({ ...facts, dnsNames: ['other'] }, names, { now, until }));
});

test('a leaf that lives as long as its authority is kept: a new one would be due again at once', () => {
  const last = { ...facts, notAfter: until };
  assert.equal(isLeafDue(last, names, { now: '2035-12-31T23:58:00Z', until }), false);
  assert.equal(isLeafDue(last, names, { now: until, until }), true);
});

test('a spec without its parts, living or leaving, asks for no certificate', () => {
  for (const metadata of [{}, { deletionTimestamp: '2026-01-01T00:00:00Z' }]) {
    const owner = { ...distributedService('web', {}, metadata), spec: {} as DistributedServiceSpec };
    assert.equal(questionOf({ owner, children: new Map(), inputs: new Map() }), undefined);
  }
});
