import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseLiveEndpoints } from '../../tunnel/parse.ts';

/** The statistics as Envoy 1.40 writes them. */
const said = `cluster.upstream.version_text: "0a1b"
cluster.upstream.membership_healthy: 2
cluster.upstream.membership_total: 3
cluster.upstream.update_failure: 1
cluster.upstream.update_rejected: 4
`;

test('what Envoy says is understood', () =>
  assert.deepEqual(parseLiveEndpoints(said), { version: '0a1b', total: 3, healthy: 2, refused: 5 }));

test('before its first endpoints it has no version', () =>
  assert.equal(parseLiveEndpoints(said.replace('0a1b', ''))?.version, ''));

const nonsense: readonly [sentence: string, text: string][] = [
  ['nothing', ''],
  ['a page', '<!doctype html><title>cluster.upstream</title>'],
  ['no version', said.replace(/^.*version_text.*\n/, '')],
  ['a version that is none of ours', said.replace('0a1b', 'x; rm -rf /')],
  ['a version without end', said.replace('0a1b', 'a'.repeat(65))],
  ['no total', said.replace(/.*total.*\n/, '')],
  ['a healthy count below nothing', said.replace('healthy: 2', 'healthy: -2')],
  ['a number past all counting', said.replace('rejected: 4', `rejected: ${'9'.repeat(400)}`)],
  ['a number that is none', said.replace('failure: 1', 'failure: NaN')],
  ['two answers in one', `${said}cluster.upstream.update_rejected: 0\n`],
];
for (const [sentence, text] of nonsense) {
  test(`nonsense is no answer: ${sentence}`, () => assert.equal(parseLiveEndpoints(text), undefined));
}

test('whatever is said, the answer is of the form or there is none', () => {
  const line = fc.constantFrom(...said.split('\n'), 'cluster.upstream.version_text: "', '\0');
  const some = fc.array(fc.oneof(line, fc.string()), { maxLength: 8 });
  fc.assert(
    fc.property(some, (lines) => {
      const found = parseLiveEndpoints(lines.join('\n'));
      if (found === undefined) return;
      assert.match(found.version, /^[0-9a-f]{0,64}$/);
      for (const count of [found.total, found.healthy, found.refused]) assert.ok(Number.isSafeInteger(count));
    }),
  );
});
