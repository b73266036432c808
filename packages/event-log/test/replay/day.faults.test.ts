import { test } from 'node:test';
import { replayDay } from './day.ts';
import { writesThrough } from './write-count.ts';

const changes = Number(process.env['CHANGES'] ?? 80);

test(`a day of ${changes} changes is recorded and replayed, on the embedded API`, (context) =>
  replayDay(context, { namespace: 'day', args: [], changes, writes: ({ gate }) => writesThrough(gate) }));
