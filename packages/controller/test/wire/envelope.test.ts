import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CloudEvent } from 'cloudevents';
import fc from 'fast-check';
import { KnudgeError } from '../../domain/errors.ts';
import { toReceived } from '../../wire/envelope.ts';

const good = { id: '1', source: '/a', type: 't', specversion: '1.0' };

function isTaken(attributes: Readonly<Record<string, string>>): boolean {
  try {
    toReceived(new Map(Object.entries(attributes)), undefined);
    return true;
  } catch (thrown) {
    assert.ok(thrown instanceof KnudgeError && thrown.code === 'invalid-event');
    return false;
  }
}

function isTakenBySdk(attributes: Readonly<Record<string, string>>): boolean {
  try {
    new CloudEvent(attributes as typeof good, true);
    return true;
  } catch {
    return false;
  }
}

test('an envelope is taken exactly where the whole SDK, in strict mode, takes it', () => {
  const name = fc.constantFrom('id', 'source', 'type', 'time', 'subject', 'dataschema', 'note', 'aB', 'a-b', 'a_b');
  const value = fc.oneof(
    fc.constantFrom(
      'a',
      '/a b',
      'https://a/b?c#d',
      'a:b',
      '2026-11-21T02:03:23.679819028Z',
      '2026-02-30T00:00:00Z',
      '%zz',
      '€',
    ),
    fc.webUrl(),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.stringMatching(/^[!-~]{1,20}$/),
  );
  let refused = 0;
  fc.assert(
    fc.property(name, value, (changed, text) => {
      const attributes = { ...good, [changed]: text };
      const taken = isTaken(attributes);
      assert.equal(taken, isTakenBySdk(attributes));
      if (!taken) refused++;
    }),
    { numRuns: 2000 },
  );
  assert.ok(refused > 50 && refused < 1950, 'both answers were met');
});
