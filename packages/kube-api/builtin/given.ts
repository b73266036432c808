import type { JsonObject } from '../json.ts';

/** What is there now, if anything, and a source of numbers from 0 to below 1. */
export interface Given {
  readonly current: JsonObject | undefined;
  readonly random: () => number;
}
