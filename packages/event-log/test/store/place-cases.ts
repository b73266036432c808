import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PageRequest } from '../../../controller/domain/event-log.ts';
import type { CasesWith } from './cases.ts';
import { received } from './event.ts';

const all: PageRequest = { order: 'newest-first', limit: 100 };
const start = Date.parse('2026-03-01T12:00:00.000Z');
const minute = 60_000;

/** What each store must do with the places that it gives. */
export function placeCases(name: string, { open }: CasesWith): void {
  async function fresh() {
    const clock = { now: start };
    return { log: await open(() => clock.now), clock };
  }

  suite(`places in ${name}`, () => {
    test('a double of an event or of a dead letter uses up no number', async () => {
      const { log } = await fresh();
      for (const id of ['a', 'a', 'b', 'a']) await log.append(received({ id }));
      await Promise.all(['b', 'c', 'c', 'a', 'd'].map((id) => log.append(received({ id }))));
      for (const id of ['a', 'a', 'b']) await log.appendDeadLetter(received({ id }));
      const placesOf = (rows: readonly { readonly id: string; readonly seq: number }[]) =>
        rows.map(({ id, seq }) => `${id} ${seq}`);
      assert.deepEqual(placesOf(await log.events({}, all)), ['d 4', 'c 3', 'b 2', 'a 1']);
      assert.deepEqual(placesOf(await log.deadLetters({}, all)), ['b 2', 'a 1']);
      assert.equal((await log.deadLetters({ id: 'a' }, all))[0]?.times, 2);
      await log.close();
    });

    test('takes away what is too old, and never gives a place twice', async () => {
      const { log, clock } = await fresh();
      for (let n = 0; n < 3; n += 1) {
        await log.append(received({ id: `e-${n}` }));
        await log.appendDeadLetter(received({ id: `e-${n}` }));
        clock.now += 24 * 60 * minute;
      }
      assert.equal(await log.retain({ days: 1, bytes: 1e9 }), 2);
      assert.deepEqual(
        (await log.events({}, all)).map(({ id }) => id),
        ['e-2'],
      );
      assert.deepEqual(
        (await log.deadLetters({}, all)).map(({ id }) => id),
        ['e-2'],
      );
      clock.now += 48 * 60 * minute;
      assert.equal(await log.retain({ days: 1, bytes: 1e9 }), 1);
      await log.append(received());
      assert.equal((await log.events({}, all))[0]?.seq, 4);
      await log.close();
    });
  });
}
