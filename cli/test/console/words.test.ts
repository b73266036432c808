import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Command } from 'commander';
import { wordsIn } from '../../console/words.ts';
import { type FilterOptions, filterOf, withFilters } from '../../filters.ts';
import { strict } from '../../leaf.ts';

/** The words of the filter's bar as `knudge events` takes them. */
const rows: readonly Readonly<Record<string, string>>[] = [
  { kind: 'msg' },
  { kind: 'deploy' },
  { kind: 'EndpointSlices' },
  { kind: 'Message', type: 'update' },
  { type: 'ref.add' },
  { type: 'org.example.made' },
  { since: '2026-03-01T12:00:00+02:00', until: '2026-03-02T12:00:00Z' },
];

suite('the words of a filter in the console', () => {
  for (const row of rows) {
    test(`${JSON.stringify(row)} means what it means to the command line`, () => {
      const args = Object.entries(row).map(([word, value]) => `--${word}=${value}`);
      const command = withFilters(strict(new Command('events'))).action(() => undefined);
      const wanted = filterOf(command.parse(args, { from: 'user' }).opts<FilterOptions>());
      assert.deepEqual(wordsIn({ ...row, name: 'left-out' }), wanted);
    });
  }

  test('an age is a time', () => {
    const since = Date.parse(wordsIn({ since: '15m' }).since ?? '');
    assert.ok(Math.abs(Date.now() - since - 900_000) < 60_000);
  });

  test('a word that nobody knows is refused in the sentence of the command line; a kind of somebody else is taken', () => {
    const cases = [
      [{ kind: 'pood' }, /^No source watches a kind pood: /],
      [{ type: 'updated' }, /^No event has a type updated: /],
      [{ since: 'yesterday' }, /^Give a time such as /],
    ] as const;
    for (const [words, message] of cases) {
      assert.throws(() => wordsIn(words), { code: 'invalid-request', message });
    }
    assert.deepEqual(wordsIn({ kind: 'Order' }), { kind: 'Order' });
    assert.deepEqual([wordsIn(undefined), wordsIn({ kind: '' })], [{}, {}]);
  });
});
