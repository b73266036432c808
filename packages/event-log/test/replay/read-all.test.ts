import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { EventFilter, PageRequest } from '../../../controller/domain/event-log.ts';
import { readAll } from '../../replay/read-all.ts';

/** A log of this many events of a length, which grows with every page that is read of it. */
function growing(count: number, length: number) {
  const pages: PageRequest[] = [];
  const read = async ({ after = 0, before = Number.POSITIVE_INFINITY }: EventFilter, page: PageRequest) => {
    const last = count + pages.length * 10;
    pages.push(page);
    if (page.order === 'newest-first') return last > 0 ? [{ seq: last, data: '' }] : [];
    const found = Math.max(0, Math.min(page.limit, last - after, before - 1 - after));
    return Array.from({ length: found }, (_, n) => ({ seq: after + n + 1, data: 'x'.repeat(length) }));
  };
  return { read, pages };
}

suite('all that is in a log', () => {
  test('comes oldest first, each once, up to what was the newest at the beginning', async () => {
    const { read, pages } = growing(5000, 100);
    const seqs: number[] = [];
    for await (const { seq } of readAll(read, {})) seqs.push(seq);
    assert.deepEqual(
      seqs,
      Array.from({ length: 5000 }, (_, n) => n + 1),
    );
    assert.deepEqual(
      pages.map(({ limit }) => limit),
      [1, 50, 1000, 1000, 1000, 1000, 1000],
    );
  });

  for (const [length, limit] of [
    [100_000, 10],
    [10_000, 104],
    [1_000_000, 10],
  ] as const) {
    test(`comes in pages of about a mebibyte, none before it is wanted: events of ${length}`, async () => {
      const { read, pages } = growing(1000, length);
      let seen = 0;
      for await (const _ of readAll(read, {})) {
        seen += 1;
        if (seen === 51) break;
      }
      assert.deepEqual(
        pages.map((page) => page.limit),
        [1, 50, limit],
      );
    });
  }

  test('goes on after a place, and is nothing where there is nothing', async () => {
    const seqs: number[] = [];
    for await (const { seq } of readAll(growing(100, 10).read, { after: 97 })) seqs.push(seq);
    assert.deepEqual(seqs, [98, 99, 100]);
    for await (const _ of readAll(growing(0, 10).read, {})) assert.fail();
  });
});
