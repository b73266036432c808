import assert from 'node:assert/strict';
import type { Sample } from '../server.ts';

/** What a query has to give. */
export type Expectation = (samples: readonly Sample[]) => void;

/** Of what `increase` adds, since it guesses beyond the first and the last scrape. */
export const guessed = 0.07;

/**
 * These values by the labels whose names are given, and no others: each may differ by this share of it. A count of less than 7 is so
 * still told from the next one.
 */
export function exactly(labels: readonly string[], wanted: Readonly<Record<string, number>>, share = 0): Expectation {
  return (samples) => {
    const found = samples.map(
      (sample) => [labels.map((label) => sample.labels[label]).join(' '), sample.value] as const,
    );
    const text = JSON.stringify(found);
    const sorted = (keys: readonly string[]): readonly string[] => [...keys].sort();
    assert.deepEqual(sorted(found.map(([key]) => key)), sorted(Object.keys(wanted)), text);
    for (const [key, value] of found) {
      const want = wanted[key] ?? Number.NaN;
      assert.ok(Math.abs(value - want) <= want * share, `${key} is ${String(value)} and not ${String(want)}: ${text}`);
    }
  };
}

/** One value, or one for this label, between two bounds. */
export function between(low: number, high: number): Expectation {
  return (samples) => {
    assert.equal(samples.length, 1, JSON.stringify(samples));
    const value = samples[0]?.value ?? Number.NaN;
    assert.ok(value >= low && value <= high, `${String(value)} is not from ${String(low)} to ${String(high)}`);
  };
}
