import fc from 'fast-check';
import type { StormPlan } from '../plan.ts';
import { type StormContent, storms } from './arbitraries.ts';
import { runStorm, type Stormed } from './run-storm.ts';

/** A storm that has shown a fault, as small as it could be made. */
export interface Failure {
  readonly seed: number;
  /** What fast-check needs to come to the same content again. */
  readonly path: string;
  readonly content: StormContent;
  readonly stormed: Stormed;
  /** How many times it became smaller. */
  readonly shrinks: number;
}

/** The storm of a seed, or what it became by shrinking along a path. */
export function contentOf({ seed, path }: Pick<StormPlan, 'seed' | 'path'>): StormContent {
  const [content] = fc.sample(storms, { seed, numRuns: 1, unbiased: true, ...(path !== undefined && { path }) });
  if (content === undefined) throw new Error(`seed ${seed} has no storm at ${path ?? 'its beginning'}`);
  return content;
}

/** Runs the storm that a plan means; for `npm run fault`. */
export function runStormPlan(plan: Pick<StormPlan, 'seed' | 'path'>): Promise<Stormed> {
  return runStorm(plan.seed, contentOf(plan));
}

/**
 * Makes a storm that fails smaller, for at most this many milliseconds: first operations are taken away, as many as can be, then
 * troubles, and after each trouble that goes the operations are tried again. It stays a failure of the same oracle.
 */
export async function shrink(seed: number, oracle: string, mostMs: number): Promise<Failure> {
  const isFailing = async (content: StormContent): Promise<boolean> => {
    const { findings } = await runStorm(seed, content);
    return findings.some((finding) => finding.oracle === oracle);
  };
  const property = fc.asyncProperty(storms, async (content) => !(await isFailing(content)));
  const details = await fc.check(property, {
    seed,
    numRuns: 1,
    endOnFailure: false,
    unbiased: true,
    interruptAfterTimeLimit: mostMs,
    markInterruptAsFailure: false,
  });
  const path = details.counterexamplePath ?? '0';
  const content = contentOf({ seed, path });
  return { seed, path, content, stormed: await runStorm(seed, content), shrinks: details.numShrinks };
}
