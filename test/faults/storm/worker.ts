// Runs the storms of the seeds that it is sent, one after the other.
import { parentPort } from 'node:worker_threads';
import type { Finding } from '../../../packages/controller/testing/trace.ts';
import { runStormPlan } from './seek.ts';
import type { Tally } from './tally.ts';

/** What came of the storm of a seed. */
export interface Told {
  readonly seed: number;
  readonly findings: readonly Finding[];
  readonly tally: Tally | undefined;
}

parentPort?.on('message', (seed: number) => void tell(seed));

async function tell(seed: number): Promise<void> {
  parentPort?.postMessage(await told(seed));
}

async function told(seed: number): Promise<Told> {
  try {
    const { findings, tally } = await runStormPlan({ seed });
    return { seed, findings, tally };
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { seed, findings: [{ oracle: 'broken', what }], tally: undefined };
  }
}
