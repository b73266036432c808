import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { EventLog, PageRequest } from '../../../controller/domain/event-log.ts';
import { verify } from '../../store/verify.ts';
import { received } from './event.ts';

const all: PageRequest = { order: 'oldest-first', limit: 5000 };
const start = Date.parse('2026-03-01T12:00:00.000Z');
const data = 'x'.repeat(900);

export interface ChainCasesWith {
  readonly open: (
    now: () => number,
  ) => Promise<{ readonly log: EventLog; readonly execute: (sql: string) => Promise<void> }>;
  /** The names of its tables begin so. */
  readonly prefix: string;
}

/** What each store must do with the chain over its events. */
export function chainCases(name: string, { open, prefix }: ChainCasesWith): void {
  suite(`the chain in ${name}`, () => {
    async function filled() {
      const opened = await open(() => start);
      for (let n = 1; n <= 5; n += 1) {
        const time = n === 2 ? {} : { time: '2026-03-01T13:00:00.123456789+02:00' };
        await opened.log.append(
          received({ id: `e-${n}`, ...time, data: n === 4 ? undefined : { n, 7: [null, 1e21] } }),
        );
      }
      return opened;
    }

    test('is whole, of one that holds nothing too, and goes on after each append', async () => {
      const { log } = await open(() => start);
      assert.deepEqual(await verify(log), { whole: true, events: 0, letGo: 0, older: 0, head: '', breaks: [] });
      await Promise.all(['a', 'b', 'a', 'c'].map((id) => log.append(received({ id, data: { a: 'ä\u0000' } }))));
      const { head, ...rest } = await verify(log);
      assert.deepEqual(rest, { whole: true, events: 3, letGo: 0, older: 0, breaks: [] });
      await log.append(received({ id: 'd' }));
      assert.notEqual((await verify(log)).head, head);
      await log.close();
    });

    const harms: readonly [sentence: string, sql: string, seqs: readonly number[]][] = [
      ['a row whose data was changed', `UPDATE ${prefix}events SET data = '{"n":9}' WHERE seq = 3`, [3]],
      ['a row whose name was changed', `UPDATE ${prefix}events SET name = 'other' WHERE seq = 3`, [3]],
      ['a row that was taken out', `DELETE FROM ${prefix}events WHERE seq = 3`, [4]],
      ['the first that was taken out', `DELETE FROM ${prefix}events WHERE seq = 1`, [2]],
      ['the newest that was taken out', `DELETE FROM ${prefix}events WHERE seq = 5`, [4]],
      ['a row that lost its hash', `UPDATE ${prefix}events SET previous = NULL WHERE seq = 3`, [3, 4]],
      ['a hash that was made anew', `UPDATE ${prefix}events SET hash = 'x' WHERE seq = 3`, [3, 4]],
    ];
    for (const [sentence, sql, seqs] of harms) {
      test(`tells ${sentence}`, async () => {
        const { log, execute } = await filled();
        assert.equal((await verify(log)).whole, true);
        await execute(sql);
        const { whole, breaks } = await verify(log);
        assert.deepEqual([whole, breaks.map(({ seq }) => seq)], [false, seqs]);
        await log.close();
      });
    }

    test('stays whole when events go that are too old, are too many, or stand between others', async () => {
      const clock = { now: start };
      const { log, execute } = await open(() => clock.now);
      const append = (id: string, namespace: string) => log.append(received({ id, data, extensions: { namespace } }));
      await append('old', 'quiet');
      clock.now += 48 * 3_600_000;
      for (let n = 0; n < 60; n += 1) {
        await Promise.all(Array.from({ length: 25 }, (_, each) => append(`f-${n}-${each}`, 'flood')));
        await append(`q-${n}`, 'quiet');
        if (n % 20 === 19) await log.retain({ days: 1, bytes: 1_000_000 });
      }
      const left = await log.events({}, all);
      const quiet = left.filter(({ namespace }) => namespace === 'quiet').map(({ id }) => id);
      assert.deepEqual(
        quiet,
        Array.from({ length: 60 }, (_, n) => `q-${n}`),
      );
      const { head: _, ...verdict } = await verify(log);
      const letGo = 1561 - left.length;
      assert.deepEqual(verdict, { whole: true, events: left.length, letGo, older: 0, breaks: [] });
      const { letGo: stretches } = await log.chain(0, 5000);
      assert.ok(stretches.length <= 61, 'one at most between two that are left');
      assert.equal(stretches[0]?.first, 1);
      await execute(`DELETE FROM ${prefix}let_go WHERE first = 1`);
      assert.equal((await verify(log)).whole, false);
      await log.close();
    });

    test('goes over many pages', async () => {
      const { log } = await open(() => start);
      await Promise.all(Array.from({ length: 350 }, (_, n) => log.append(received({ id: `e-${n}` }))));
      let pages = 0;
      assert.equal((await verify(log, () => (pages += 1))).events, 350);
      assert.equal(pages, 4);
      await log.close();
    });
  });
}
