import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultShare } from '../share.ts';
import { commit } from './commit.ts';
import { describeFailure } from './describe-failure.ts';
import { runStorms } from './run-storms.ts';
import { shrink } from './seek.ts';
import { neverHappened } from './sometimes.ts';
import { summary } from './summary.ts';

const all = 300;
const { share, shares } = faultShare;
const seeds = Math.ceil(all / shares);
const from = 1 + (share - 1) * seeds;
const say = (line: string): void => console.log(`# ${line}`);

test(`${seeds} seeded storms from seed ${from} on end as a new cluster with the same wishes would`, async (t) => {
  const storms = await runStorms({
    seeds,
    from,
    workers: 2,
    onProgress: ({ done, failed }) => say(`${done} of ${seeds} seeds, ${failed} with findings`),
  });
  t.diagnostic(`counted: ${summary(storms)}`);
  const [first] = storms.failures;
  const [finding] = first?.findings ?? [];
  if (first !== undefined && finding !== undefined) {
    const seen =
      finding.oracle === 'broken' ? finding.what : describeFailure(await shrunk(first.seed, finding.oracle), commit());
    assert.fail(`${storms.failures.length} of ${seeds} seeds have findings; the first:\n${seen}`);
  }
  // In a share of the storms not everything happens.
  if (shares === 1) assert.deepEqual(neverHappened(storms.tally), [], 'what never happens is not tested');
});

const shrunk = (seed: number, oracle: string) => shrink(seed, oracle, 60_000);
