import { NeverAtRest } from '../sim/drain.ts';
import { Refused } from '../user.ts';

/** Why a run could not be played to its end. */
export interface Stop {
  readonly oracle: 'comes-to-rest' | 'steps-are-taken';
  readonly what: string;
}

/**
 * Makes of the error that ended a run what the resource did wrong. Throws any other error again: it is a fault of the test or of the engine
 * and says nothing about the resource.
 */
export function stopOf(error: unknown): Stop {
  if (error instanceof NeverAtRest) return { oracle: 'comes-to-rest', what: error.message };
  if (error instanceof Refused) return { oracle: 'steps-are-taken', what: error.message };
  throw error;
}
