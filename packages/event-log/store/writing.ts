import type { DeadLetterState, Gap, Sign } from '../../controller/domain/event-log.ts';
import type { DeliveryWriting } from './delivery-row.ts';
import type { EventRow, LetterRow, Stored } from './row.ts';

/** One row to keep. */
export type Writing =
  | { readonly to: 'events'; readonly row: EventRow }
  | { readonly to: 'dead_letters'; readonly row: LetterRow };

export interface Marking {
  readonly seq: number;
  /** How often it had failed when it was read. */
  readonly times: number;
  readonly state: DeadLetterState;
  readonly note: string | null;
}

export interface Limits {
  /** Events recorded before this time go. RFC 3339, milliseconds. */
  readonly before: string;
  readonly bytes: number;
}

/** The rows that go at once: few enough that no writer waits long for it. */
export const retainedAtOnce = 500;

/** What a store does for `createLog`: SQL and nothing else. */
export interface Store {
  /** Writes all or nothing, on the disk when it resolves; returns for each whether it was new. */
  write(writings: readonly Writing[]): Promise<readonly boolean[]>;
  read(query: { readonly sql: string; readonly values: readonly (string | number)[] }): Promise<readonly Stored[]>;
  /** Keeps those that are new; returns how many bytes they take. */
  keepDeliveries(writings: readonly DeliveryWriting[]): Promise<number>;
  /** Returns how many rows it marked. */
  mark(marking: Marking): Promise<number>;
  noteGap(gap: Gap): Promise<void>;
  sign(sign: Sign): Promise<void>;
  /** Removes a number of the oldest rows, if there are too many; returns how many. */
  shrink(limits: Limits): Promise<Gone>;
  close(): Promise<void>;
}

/** How many rows have gone. */
export interface Gone {
  readonly events: number;
  readonly letters: number;
  readonly deliveries: number;
}
