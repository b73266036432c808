import type { JsonObject } from '../json.ts';

/** The current object, if there is one, and a source of numbers from 0 to below 1. */
export interface Given {
  readonly current: JsonObject | undefined;
  readonly random: () => number;
}
