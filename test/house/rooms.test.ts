import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { filesOf } from './files.ts';

/** A reader sees this many names at one look. */
const mostFiles = 12;

test(`no room of resources/ has more than ${mostFiles} files, rooms within it and tests not counted`, () => {
  const rooms = Map.groupBy(
    filesOf('resources').filter((path) => !path.includes('/test/')),
    (path) => posix.dirname(path),
  );
  assert.ok(rooms.size > 10);
  const full = [...rooms].filter(([, files]) => files.length > mostFiles);
  assert.deepEqual(
    full.map(([room, files]) => `${room} has ${files.length} files`),
    [],
    'move some of them into a room of their own',
  );
});
