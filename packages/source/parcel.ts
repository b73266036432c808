import type { SourceEvent } from './event-of.ts';

/** An event on its way. */
export interface Parcel {
  /** Events with the same value keep their order: kind, namespace and name. */
  readonly object: string;
  readonly event: SourceEvent;
  /** The bytes of memory that it takes while it waits. */
  readonly bytes: number;
}
