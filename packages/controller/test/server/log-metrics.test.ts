import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { LogFigures } from '../../domain/event-log.ts';
import { createMetrics } from '../../server/metrics.ts';

const total = { function: 'pod-changed', outcome: 'done', deliveries: 3, ms: 1500, cold: 1, coldMs: 240 };
const figures: LogFigures = {
  deliveries: [total, { ...total, outcome: 'conflict' }],
  deadLetters: new Map([['open', 2]]),
};

/** The samples that a scrape gets. */
async function samples(log: () => Promise<LogFigures>): Promise<readonly string[]> {
  const text = await createMetrics({ log, now: () => 0 }).render();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

suite('what the event log counts', () => {
  test('is in seconds, and starts are those of a function', async () => {
    assert.deepEqual(await samples(async () => figures), [
      'knudge_deliveries_total{function="pod-changed",outcome="done"} 3',
      'knudge_deliveries_total{function="pod-changed",outcome="conflict"} 3',
      'knudge_delivery_seconds_total{function="pod-changed",outcome="done"} 1.5',
      'knudge_delivery_seconds_total{function="pod-changed",outcome="conflict"} 1.5',
      'knudge_cold_starts_total{function="pod-changed"} 2',
      'knudge_cold_start_seconds_total{function="pod-changed"} 0.48',
      'knudge_dead_letters{state="open"} 2',
    ]);
  });

  test('is missing where the log does not answer', async () => {
    assert.deepEqual(await samples(() => Promise.reject(new Error('away'))), []);
  });
});
