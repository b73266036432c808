import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { again, summaryOf } from '../../replay/ending.ts';
import { openPlaces } from '../../replay/place.ts';
import { createProgress } from '../../replay/progress.ts';

function screen(more: { isTTY?: boolean; columns?: number; isQuiet?: boolean } = {}) {
  const { isQuiet = false, ...stream } = more;
  const written: string[] = [];
  const time = { now: 0 };
  const parts = {
    total: 200,
    isQuiet,
    now: () => time.now,
    stream: { ...stream, write: (text: string) => written.push(text) },
  };
  const progress = createProgress(parts);
  const update = (done: number, now: number): void => {
    time.now = now;
    progress.update({ sent: done, refused: 0 });
  };
  return { progress, update, written };
}

suite('progress', () => {
  test('on a terminal is a bar with rate and time left, and is gone at the end', () => {
    const { progress, update, written } = screen({ isTTY: true, columns: 60 });
    update(10, 50);
    update(50, 1000);
    progress.say('a line');
    update(200, 1001);
    progress.end();
    assert.deepEqual(written, [
      '\r\u001b[K[#######........................] 50 of 200, 50/s, 3 s left',
      '\r\u001b[Ka line\n[#######........................] 50 of 200, 50/s, 3 s left',
      '\r\u001b[K[#############################] 200 of 200, 200/s, 0 s left',
      '\r\u001b[K',
    ]);
  });

  test('on a narrow terminal is what fits', () => {
    const { update, written } = screen({ isTTY: true, columns: 12 });
    update(50, 1000);
    assert.deepEqual(written, ['\r\u001b[K50 of 200, ']);
  });

  test('elsewhere is a line every few seconds', () => {
    const { progress, update, written } = screen();
    update(1, 4000);
    update(2, 5000);
    update(3, 9000);
    update(190, 100_000);
    progress.say('a line');
    progress.end();
    assert.deepEqual(written, ['2 of 200, 0.4/s, 8 min 15 s left\n', '190 of 200, 1.9/s, 6 s left\n', 'a line\n']);
    const { update: slowly, written: far } = screen();
    slowly(1, 60_000);
    assert.deepEqual(far, ['1 of 200, 0.0/s, 3 h 19 min left\n']);
  });

  test('for programs is nothing', () => {
    const { progress, update, written } = screen({ isQuiet: true });
    update(50, 10_000);
    progress.say('a line');
    assert.deepEqual(written, []);
  });
});

function aFolder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-places-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

suite('the place of a replay', () => {
  const bounded = { selection: { filter: { before: 9 } } };

  test('is on the disk at least every hundred events and every fifth of a second', (t) => {
    const time = { now: 0 };
    const places = openPlaces(join(aFolder(t), 'new'), 'k', () => time.now);
    for (let after = 1; after <= 100; after += 1) {
      assert.equal(places.read(), undefined);
      places.remember({ bounded, after });
    }
    assert.deepEqual(places.read(), { bounded, after: 100 });
    time.now = 200;
    places.remember({ bounded, after: 101 });
    assert.equal(places.read()?.after, 101);
    places.remember({ bounded, after: 102 });
    places.flush();
    places.flush();
    assert.equal(places.read()?.after, 102);
  });

  test('leaves those of others alone, and its file goes with the last', (t) => {
    const dir = aFolder(t);
    const [one, other] = [openPlaces(dir, 'one'), openPlaces(dir, 'other')];
    one.forget();
    for (const places of [one, other]) {
      places.remember({ bounded, after: 1 });
      places.flush();
    }
    one.forget();
    assert.deepEqual([one.read(), other.read()?.after], [undefined, 1]);
    one.forget();
    other.forget();
    assert.equal(existsSync(join(dir, 'replay.json')), false);
  });

  test('in a file that is none is said', (t) => {
    const dir = aFolder(t);
    writeFileSync(join(dir, 'replay.json'), '{');
    assert.throws(() => openPlaces(dir, 'k').read(), /replay\.json was not written by a replay: delete it/);
    assert.equal(readFileSync(join(dir, 'replay.json'), 'utf8'), '{');
  });
});

suite('the end of a replay', () => {
  test('tells what was refused, what is gone and what was passed over', () => {
    const about = { title: 'events.db', total: 9, passed: 1, next: undefined };
    const { text, value } = summaryOf({ sent: 1, refused: 2, end: 'all', last: 9 }, about);
    assert.equal(
      text,
      '1 event of events.db sent, 2 refused, 6 removed from it meanwhile, 1 tick of the resync skipped',
    );
    assert.partialDeepStrictEqual(value, { sent: 1, refused: 2, passed: 1, gone: 6, total: 9, end: 'all', after: 9 });
  });

  test('that failed before the first says how to begin again', () => {
    const about = { title: 'x', total: 9, passed: 0, next: again(['replay', '--id', "it's"], false) };
    const { text } = summaryOf({ sent: 0, refused: 0, end: 'failed' }, about);
    assert.equal(text, "0 events of x sent\nTo go on: npx knudge replay --id 'it'\\''s'");
  });

  test('tells no token', () => {
    const args = ['replay', '--token', 's3cret', '--token=s3cret', '--id', 'a'];
    assert.equal(again(args, true), 'npx knudge replay --id a --resume');
  });

  test('names --resume once', () => assert.equal(again(['replay', '--resume'], true), 'npx knudge replay --resume'));
});
