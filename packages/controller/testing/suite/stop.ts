import { NeverAtRest } from '../sim/drain.ts';
import { Refused } from '../user.ts';

/** Why a run could not be played to its end. */
export interface Stop {
  readonly oracle: 'comes-to-rest' | 'steps-are-taken';
  readonly what: string;
}

/** What an error of a run says of the resource; throws what says nothing of it. */
export function stopOf(error: unknown): Stop {
  if (error instanceof NeverAtRest) return { oracle: 'comes-to-rest', what: error.message };
  if (error instanceof Refused) return { oracle: 'steps-are-taken', what: error.message };
  throw error;
}
