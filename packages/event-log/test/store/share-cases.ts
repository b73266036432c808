import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { EventLog, PageRequest } from '../../../controller/domain/event-log.ts';
import type { CasesWith } from './cases.ts';
import { received } from './event.ts';

const all: PageRequest = { order: 'oldest-first', limit: 5000 };
const bytes = 1_000_000;
const data = 'x'.repeat(900);
const start = Date.parse('2026-03-01T12:00:00.000Z');

async function append(log: EventLog, namespace: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, n) => `${namespace}-${n}`);
  await Promise.all(ids.map((id) => log.append(received({ id, data, extensions: { namespace } }))));
}

const idsOf = async (log: EventLog, namespace: string) => (await log.events({ namespace }, all)).map(({ id }) => id);

/** What each store must do where there is more than may be kept: whose events go. */
export function shareCases(name: string, { open }: CasesWith): void {
  suite(`shares of ${name}`, () => {
    test('takes away the oldest of whoever has most, and no more than it must', async () => {
      const log = await open(() => start);
      await append(log, 'small', 20);
      await append(log, 'large', 1200);
      await append(log, 'middle', 100);
      const gone = await log.retain({ days: 30, bytes });
      assert.deepEqual([(await idsOf(log, 'small')).length, (await idsOf(log, 'middle')).length], [20, 100]);
      const left = await idsOf(log, 'large');
      assert.deepEqual([left[0], gone], [`large-${gone}`, 1200 - left.length]);
      const room = left.length * 1230;
      assert.ok(room > bytes * 0.25 && room < bytes * 0.55, `${left.length} are left: half of the room at most`);
      assert.equal(await log.retain({ days: 30, bytes }), 0);
      await log.close();
    });

    test('a flood of one sender takes nothing away from those who have less', async () => {
      const log = await open(() => start);
      await append(log, 'incident', 20);
      await append(log, 'quiet', 200);
      for (let round = 0; round < 4; round += 1) {
        const ids = Array.from({ length: 600 }, (_, n) => `f-${round}-${n}`);
        await Promise.all(ids.map((id) => log.append({ ...received({ id, data }), source: '/flood' })));
        await log.retain({ days: 30, bytes });
      }
      assert.deepEqual([(await idsOf(log, 'incident')).length, (await idsOf(log, 'quiet')).length], [20, 200]);
      const flood = (await log.events({}, all)).filter(({ source }) => source === '/flood');
      assert.ok(flood.length > 100 && flood.length < 500, `${flood.length} of the flood`);
      assert.equal(flood.at(-1)?.id, 'f-3-599', 'its newest');
      await log.close();
    });

    test('senders who have the same lose the same', async () => {
      const log = await open(() => start);
      const names = ['a', 'b', 'c', 'd'];
      for (const one of names) await append(log, one, 400);
      await log.retain({ days: 30, bytes });
      const left = await Promise.all(names.map(async (one) => (await idsOf(log, one)).length));
      assert.ok(Math.max(...left) - Math.min(...left) <= 5, left.join());
      const room = left.reduce((sum, count) => sum + count * 1230, 0);
      assert.ok(room > bytes * 0.5 && room < bytes * 1.05, left.join());
      await log.close();
    });

    test('no event pushes out a dead letter, and dead letters have an eighth, those first that are open', async () => {
      const log = await open(() => start);
      for (let n = 0; n < 20; n += 1) await log.appendDeadLetter(received({ id: `open-${n}`, data }));
      await append(log, 'flood', 2000);
      await log.retain({ days: 30, bytes });
      assert.equal(await log.count({ state: 'open' }, 'dead-letters'), 20);
      for (let n = 0; n < 200; n += 1) {
        await log.appendDeadLetter(received({ id: `other-${n}`, data, extensions: { namespace: 'noisy' } }));
        await log.mark({ seq: 21 + n, times: 1 }, 'discarded');
      }
      await log.appendDeadLetter(received({ id: 'new', data, extensions: { namespace: 'noisy' } }));
      await log.retain({ days: 30, bytes });
      const left = await log.deadLetters({}, all);
      assert.equal(left.filter(({ id }) => id.startsWith('open-')).length, 20, 'of another sender');
      assert.equal(left.at(-1)?.id, 'new', 'open');
      assert.ok(left.length > 40 && left.length < 110, `${left.length} are left`);
      await log.close();
    });
  });
}
