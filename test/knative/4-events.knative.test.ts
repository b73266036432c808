import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRecorded, recordedNames } from '../build/event.ts';
import { masked } from './recording/masked.ts';
import { recordEvents } from './recording/recordings.ts';
import { site } from './site.ts';

test('each event in test/fixtures/events is what adapter and Broker of these versions send: npm run record:events writes them anew', async () => {
  const recordings = await recordEvents(site());
  assert.deepEqual([...recordings.keys()].sort(), recordedNames);
  for (const [name, recording] of recordings) assert.deepEqual(masked(recording), masked(readRecorded(name)), name);
});
