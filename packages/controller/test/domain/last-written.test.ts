import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastWritten } from '../../domain/last-written.ts';

const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'];
const made = (time?: string) => ({ manager: 'kubectl', ...(time !== undefined && { time }) });
const status = (time?: string) => ({ manager: 'knudge', subresource: 'status', ...(time !== undefined && { time }) });

const rows = [
  ['nothing', [], []],
  ['the newest', [made(early), status(late)], ['knudge']],
  ['the newest, whatever it wrote', [status(early), made(late)], ['kubectl']],
  ['in the same second the status', [status(late), made(late)], ['knudge']],
  ['all of which nobody knows which was later', [made(late), { manager: 'helm', time: late }], ['kubectl', 'helm']],
  ['what has no time where nothing has one', [made()], ['kubectl']],
  ['what has a time before what has none', [status(), made(early)], ['kubectl']],
] as const;

for (const [what, entries, managers] of rows) {
  test(`the last of managedFields is ${what}`, () =>
    assert.deepEqual(
      lastWritten(entries).map(({ manager }) => manager),
      managers,
    ));
}

test('the last of managedFields in a second is, of what is no status, who writes the rest', () => {
  const by = (isOfStatus: boolean) => lastWritten([status(late), made(late)], isOfStatus).map(({ manager }) => manager);
  assert.deepEqual([by(true), by(false)], [['knudge'], ['kubectl']]);
  assert.deepEqual(lastWritten([status(early), made(late)], true), [made(late)], 'a later second wins');
});
