import type { Within } from '../cluster/counted.ts';
import type { Budget } from '../domain/budget.ts';
import type { RunParts } from './parts.ts';

/**
 * An event is answered when its deadline is over. What it has begun goes on, for the next try then finds that done; but nothing is asked
 * later than three deadlines after it began.
 */
const deadlines = 3;

/** What some work may ask, and until when; `about` is for an error: `to learn whom this event concerns`. */
export function withinOf(
  budget: Budget,
  {
    about,
    parts: { config, outside },
  }: { readonly about: string; readonly parts: Pick<RunParts, 'config' | 'outside'> },
): Within {
  const milliseconds = deadlines * config.handlerDeadlineSeconds * 1000;
  return { budget, about, milliseconds, elapsed: outside.elapsed };
}
