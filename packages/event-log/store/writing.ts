import type { DeadLetterState, Gap, Sign } from '../../controller/domain/event-log.ts';
import type { EventRow, LetterRow } from './row.ts';

/** One row that is to be kept. */
export type Writing =
  | { readonly to: 'events'; readonly row: EventRow }
  | { readonly to: 'dead_letters'; readonly row: LetterRow };

export interface Marking {
  readonly seq: number;
  readonly state: DeadLetterState;
  readonly note: string | null;
}

export interface Limits {
  /** What was recorded before that goes. RFC 3339, milliseconds. */
  readonly before: string;
  readonly bytes: number;
}

/** So many rows go at once, so that nobody waits long for the end of it. */
export const retainedAtOnce = 500;

/** What a store does for `createLog`: SQL and nothing else. */
export interface Store {
  /** All or nothing, on the disk when it resolves: for each whether it was new. */
  write(writings: readonly Writing[]): Promise<readonly boolean[]>;
  read(query: { readonly sql: string; readonly values: readonly (string | number)[] }): Promise<readonly Stored[]>;
  /** How many there were of it. */
  mark(marking: Marking): Promise<number>;
  noteGap(gap: Gap): Promise<void>;
  sign(sign: Sign): Promise<void>;
  /** Takes away a number of the oldest rows that are too many, if there are any: how many of them were events. */
  shrink(limits: Limits): Promise<{ readonly events: number; readonly letters: number }>;
  close(): Promise<void>;
}

export type Stored = Readonly<Record<string, unknown>>;
