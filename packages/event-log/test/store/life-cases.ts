import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { EventLog, PageRequest, Sign } from '../../../controller/domain/event-log.ts';
import type { CasesWith } from './cases.ts';

const all: PageRequest = { order: 'oldest-first', limit: 100 };
const start = Date.parse('2026-03-01T12:00:00.000Z');

/** A sign of life, this many seconds after the start. */
function sign(seconds: number, more: Partial<Sign> = {}): Sign {
  return { at: start + seconds * 1000, isLast: false, sleeps: false, ...more };
}

/** `from` and `to` of each gap in seconds after the start. */
async function gapsOf(log: EventLog): Promise<readonly (readonly number[])[]> {
  const seconds = (time: string): number => (Date.parse(time) - start) / 1000;
  const gaps = await log.gaps(all);
  for (const { events, reason } of gaps) {
    assert.equal(events, undefined, 'nobody knows how many');
    assert.match(reason, /^no process of the event log ran/);
  }
  return gaps.map(({ from, to }) => [seconds(from), seconds(to)]);
}

const cases: readonly [sentence: string, signs: readonly Sign[], gaps: readonly (readonly number[])[]][] = [
  ['the first start ever', [sign(0)], []],
  ['a process that lives', [sign(0), sign(10, { since: start }), sign(20, { since: start + 10_000 })], []],
  ['one that is killed and comes back within a minute', [sign(0), sign(60)], []],
  ['one that is killed and stays away', [sign(0), sign(61)], [[0, 61]]],
  [
    'one that ends and stays away: it had been let drain before',
    [sign(0), sign(50), sign(100, { isLast: true }), sign(131)],
    [[70, 131]],
  ],
  [
    'one that ends, and the next comes while what was sent is tried again',
    [sign(0), sign(50, { isLast: true }), sign(80)],
    [],
  ],
  [
    'a new one that starts before the old one ends',
    [sign(0), sign(5), sign(6, { isLast: true }), sign(15, { since: start + 5000 })],
    [],
  ],
  ['the same, and nothing more is heard', [sign(0), sign(5), sign(6, { isLast: true }), sign(300)], [[-24, 300]]],
  ['one of several that is away, while another lives', [sign(0), sign(55), sign(70), sign(100)], []],
  ['one that stands still', [sign(0), sign(10, { since: start }), sign(90, { since: start + 10_000 })], [[10, 90]]],
  ['one whose store was away: what it refused it has counted', [sign(0), sign(300, { since: start + 290_000 })], []],
  ['one that is let sleep', [sign(0), sign(10, { isLast: true }), sign(3600, { sleeps: true })], []],
  ['one that may sleep and was killed', [sign(0), sign(3600, { sleeps: true })], [[0, 3600]]],
  ['one whose clock was ahead', [sign(600), sign(0), sign(630)], []],
];

/** When a store lists a gap of which nobody knows how many events are in it. */
export function lifeCases(name: string, { open }: CasesWith): void {
  suite(`signs of life in ${name}`, () => {
    for (const [sentence, signs, gaps] of cases) {
      test(sentence, async () => {
        const log = await open(() => start);
        for (const one of signs) await log.sign(one);
        assert.deepEqual(await gapsOf(log), gaps);
        await log.close();
      });
    }

    test('a gap is listed by one of several that start together', async () => {
      const log = await open(() => start);
      await log.sign(sign(0));
      await Promise.all([log.sign(sign(600)), log.sign(sign(600)), log.sign(sign(601))]);
      assert.equal((await gapsOf(log)).length, 1);
      await log.close();
    });
  });
}
