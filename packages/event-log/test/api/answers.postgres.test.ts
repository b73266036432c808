// The answers of the log over HTTP, its streams and what is read for a replay are the same over PostgreSQL: these are the tests over
// SQLite, with another store below them.
import './answer.test.ts';
import './deliveries.test.ts';
import './over-http.test.ts';
import './replay.test.ts';
import './hostile.test.ts';
import './lineage.test.ts';
import './stream.test.ts';
import './stream-backlog.test.ts';
import './stream-sources.test.ts';
import '../replay/read.test.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { store } from '../store/fresh.ts';

test('the store of these tests is PostgreSQL', () => {
  assert.equal(store, 'PostgreSQL');
});
