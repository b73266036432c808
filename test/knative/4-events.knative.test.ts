import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRecorded, recordedNames } from '../build/event.ts';
import { masked } from './recording/masked.ts';
import { recordEvents } from './recording/recordings.ts';
import { site } from './site.ts';

/** Made from another one that was recorded: see the README there. */
const derived = new Set(['resync-due/adapter-ready']);

test('each event in test/fixtures/events is what adapter and Broker of these versions send: npm run record:events writes them anew', async () => {
  const recordings = await recordEvents(site());
  const names = recordedNames.filter((name) => !derived.has(name));
  assert.deepEqual([...recordings.keys()].sort(), names);
  for (const [name, recording] of recordings) assert.deepEqual(masked(recording), masked(readRecorded(name)), name);
});
