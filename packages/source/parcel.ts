import type { SourceEvent } from './event-of.ts';

/** An event on its way. */
export interface Parcel {
  /** Whose order it keeps: kind, namespace and name. */
  readonly object: string;
  readonly event: SourceEvent;
  /** What it takes of the memory while it waits. */
  readonly bytes: number;
}
