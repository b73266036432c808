import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchLetters } from '../../api/stream-sources.ts';
import { received } from '../store/event.ts';
import { freshLog } from '../store/fresh.ts';

test('a dead letter that comes between two reads is not taken for one that has changed: its place shows it, once', async (t) => {
  const log = await freshLog();
  t.after(async () => {
    await log.close();
  });
  const letters = await watchLetters(log, {}, Date.now);
  await log.appendDeadLetter(received({ id: 'd-1' }));
  assert.deepEqual(await letters.look(0), []);
  const [letter] = await log.deadLetters({}, { order: 'newest-first', limit: 1 });
  assert.ok(letter);
  letters.sent(letter);
  assert.deepEqual(await letters.look(1), []);
  await log.appendDeadLetter(received({ id: 'd-1' }));
  assert.deepEqual(
    (await letters.look(1)).map(({ seq, times }) => [seq, times]),
    [[1, 2]],
  );
});
