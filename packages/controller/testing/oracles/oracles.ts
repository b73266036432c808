import { answered, bounded, nothingAtRest, nothingLeft, sameEnd, woken } from './end.ts';
import type { Judge } from './judged.ts';
import { childrenFirst, noForeignTouch, overWhatWasRead, statusLast } from './rules.ts';

/** What every run is held to, by the names that failures have. */
export const oracles: Readonly<Record<string, Judge>> = {
  'same-end': sameEnd,
  'nothing-at-rest': nothingAtRest,
  'woken-by-events': woken,
  'children-first': childrenFirst,
  'over-what-was-read': overWhatWasRead,
  'status-last': statusLast,
  'no-foreign-touch': noForeignTouch,
  'nothing-left': nothingLeft,
  'bounded-writes': bounded,
  answered,
};
