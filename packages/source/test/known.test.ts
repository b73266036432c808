import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openKnown, TakenOver } from '../known.ts';

function aFile(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-known-'));
  t.after(() => rmSync(dir, { recursive: true }));
  return join(dir, 'known.db');
}

const web = { uid: 'u', view: '7', tombstone: '{}' };

test('what was noted is known at once, and in the file with its position when it is committed', (t) => {
  const file = aFile(t);
  const known = openKnown(file);
  known.note('pods', 'shop/web', web);
  assert.deepEqual({ ...known.get('pods', 'shop/web') }, web);
  const beside = new DatabaseSync(file, { readOnly: true });
  const inFile = () =>
    beside
      .prepare('SELECT uid, view, tombstone FROM object')
      .all()
      .map((row) => ({ ...row }));
  assert.deepEqual(inFile(), []);
  known.commit(new Map([['pods', '8']]));
  assert.deepEqual(inFile(), [web]);
  assert.deepEqual([known.position('pods'), known.position('services')], ['8', '']);
  known.note('pods', 'shop/web', undefined);
  assert.equal(known.get('pods', 'shop/web'), undefined);
  known.commit(new Map());
  assert.deepEqual(inFile(), []);
  assert.equal(known.position('pods'), '8', 'no position is taken back');
  for (const one of [known, beside]) one.close();
});

test('what is about to be announced is in the file at once, as something that nobody has seen', (t) => {
  const file = aFile(t);
  const killed = openKnown(file);
  killed.note('pods', 'shop/web', web);
  killed.expect('pods', 'shop/web', web);
  const next = openKnown(file);
  assert.deepEqual({ ...next.get('pods', 'shop/web') }, { ...web, view: '' });
  for (const one of [killed, next]) one.close();
});

test('who opens the file takes it over: the other writes nothing any more', (t) => {
  const file = aFile(t);
  const first = openKnown(file);
  first.note('pods', 'shop/web', web);
  const second = openKnown(file);
  assert.throws(() => first.commit(new Map([['pods', '8']])), TakenOver);
  assert.throws(() => first.commit(new Map()), TakenOver);
  assert.throws(() => first.expect('pods', 'shop/web', web), TakenOver);
  assert.deepEqual([second.get('pods', 'shop/web'), second.position('pods')], [undefined, '']);
  for (const one of [first, second]) one.close();
});

test('who is not among those that are listed, in the file or noted since', (t) => {
  const known = openKnown(aFile(t));
  for (const name of ['a', 'b', 'c']) known.note('pods', name, web);
  known.note('services', 'd', web);
  known.commit(new Map());
  known.note('pods', 'b', undefined);
  known.note('pods', 'e', web);
  assert.deepEqual(
    known.others('pods', new Set(['a'])).map(({ object }) => object),
    ['c', 'e'],
  );
  known.close();
});

test('a watch that nobody asks for any more is forgotten', (t) => {
  const known = openKnown(aFile(t));
  known.note('pods', 'a', web);
  known.note('services', 'b', web);
  known.commit(
    new Map([
      ['pods', '1'],
      ['services', '2'],
    ]),
  );
  known.keepOnly(['services']);
  assert.deepEqual([known.position('pods'), known.position('services')], ['', '2']);
  assert.deepEqual([known.get('pods', 'a'), known.size().objects], [undefined, 1]);
  known.close();
});
