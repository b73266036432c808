import type { Finding } from '../../../packages/controller/testing/trace.ts';
import type { Attempt } from './attempts.ts';
import type { Faulty, Layer } from './mutant.ts';

/** Where to look first, for how many milliseconds of the processor, and how many attempts from the beginning to leave out. */
export interface Question {
  readonly near: readonly string[];
  readonly layer: Layer;
  readonly budgetMs: number;
  readonly skip: number;
  readonly shownBy?: Faulty;
}

/** What was found, with the run that shows it; or nothing, and the scenarios that could not be run at all. */
export type Sought = { readonly runs: number; readonly ms: number } & (
  | { readonly attempt: Attempt; readonly finding: Finding }
  | { readonly stuck: readonly string[] }
);
