import assert from 'node:assert/strict';
import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openSqlite } from '../../packages/event-log/store/sqlite.ts';
import { serveLog } from '../../packages/event-log/test/api/serve-log.ts';
import { received } from '../../packages/event-log/test/store/event.ts';
import { memoryLog } from '../../packages/event-log/test/store/memory-log.ts';
import { openLog } from '../open-log.ts';
import { folderWith, newFolder, runAt } from './log-folder.ts';

const page = { order: 'newest-first', limit: 10 } as const;
const open = (dir: string) => openLog({ dir, namespace: 'knudge' });

test('the log of a mesh that is down is read, and nothing can be asked of its process', async (context) => {
  const dir = await folderWith(context, (log) => log.append(received()));
  const { log, title, post, close } = await open(dir);
  assert.equal(title, join(dir, 'events.db'));
  assert.equal((await log.events({}, page)).length, 1);
  await assert.rejects(post('/dead-letters/1/retry', {}), { code: 'unavailable', message: /^No mesh runs in / });
  await close();
});

test('the log of a mesh is read beside the process that writes it, and after that was killed', async (context) => {
  const dir = newFolder(context);
  const writing = await openSqlite(join(dir, 'events.db'));
  await writing.append(received());
  const after = newFolder(context);
  for (const end of ['', '-wal']) copyFileSync(join(dir, `events.db${end}`), join(after, `events.db${end}`));
  for (const each of [dir, after]) {
    const { log, close } = await open(each);
    assert.equal(await log.count({}, 'events'), 1);
    await close();
  }
  await writing.close();
});

test('a mesh without a file is asked over HTTP', async (context) => {
  const dir = newFolder(context);
  const { log: kept } = memoryLog(() => 'works');
  const server = await serveLog({ log: kept, send: async () => undefined });
  context.after(server.close);
  runAt(dir, server.url);
  const { log, title, close } = await open(dir);
  assert.deepEqual([await log.events({}, page), title], [[], `the log of the mesh in ${dir}`]);
  await close();
});

test('a mesh whose log is in a database is asked over HTTP, also where an earlier one has left a file', async (context) => {
  const dir = await folderWith(context, (log) => log.append(received()));
  const { log: kept } = memoryLog(() => 'works');
  const server = await serveLog({ log: kept, send: async () => undefined });
  context.after(server.close);
  runAt(dir, server.url, { eventLog: null });
  const { log, title, close } = await open(dir);
  assert.deepEqual([await log.events({}, page), title], [[], `the log of the mesh in ${dir}`]);
  await close();
});

test('a mesh whose process is gone does not answer', async (context) => {
  const dir = newFolder(context);
  runAt(dir, 'http://127.0.0.1:9');
  const { log } = await open(dir);
  await assert.rejects(log.events({}, page), { code: 'unavailable', message: /^the event log does not answer: / });
});

test('a folder without a log, and a mesh without one, are told in a sentence', async (context) => {
  const dir = newFolder(context);
  await assert.rejects(open(dir), {
    code: 'unavailable',
    message: /^There is no event log in .*: start a mesh there /,
  });
  writeFileSync(join(dir, 'state.json'), '{"functions":{}}');
  await assert.rejects(open(dir), { code: 'unavailable', message: /^There is no event log in / });
});

test('a log that a newer Knudge wrote is refused, and so is one that holds nothing yet', async (context) => {
  const dir = newFolder(context);
  const database = new DatabaseSync(join(dir, 'events.db'));
  database.exec('PRAGMA user_version = 99');
  await assert.rejects(open(dir), { code: 'invalid-request', message: /a newer one wrote it/ });
  database.exec('PRAGMA user_version = 0');
  database.close();
  await assert.rejects(open(dir), { code: 'invalid-request', message: /has schema 0.*start its writer/ });
});

test('what opens a log closes it, whatever fails next: else a port-forward keeps a command from its end', () => {
  const cli = join(import.meta.dirname, '..');
  const files = globSync('**/*.ts', { cwd: cli, exclude: ['**/test/**'] });
  const opening = files.filter((path) => readFileSync(join(cli, path), 'utf8').includes('await openLog('));
  assert.ok(opening.length > 8, opening.join(', '));
  const next = (path: string) => readFileSync(join(cli, path), 'utf8').split('await openLog(').slice(1);
  const open = opening.filter((path) => next(path).some((rest) => !/^.*;\n\s*try \{/.test(rest)));
  assert.deepEqual(open, []);
});
