import type { Received } from './change.ts';
import type { Delivered, Delivery, DeliveryFilter } from './delivery.ts';

/** An event as the log keeps it: without Knative's own additions, and without the data of any Secret. */
export interface RecordedEvent {
  /** Its place in the log: grows, and is never given twice. */
  readonly seq: number;
  /** When it was kept. RFC 3339, milliseconds. */
  readonly recorded: string;
  readonly id: string;
  readonly source: string;
  readonly type: string;
  /** As the event says, else when it was kept. */
  readonly time: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Every other extension. */
  readonly extensions: Readonly<Record<string, string>>;
  readonly data?: unknown;
  /** How many bytes it would have taken whole; absent where it is whole (packages/event-log/store/shorten.ts). */
  readonly shortened?: number;
}

export type DeadLetterState = 'open' | 'sent-again' | 'discarded';

/** An event that the Broker gave up on, once for each place that did not take it. */
export interface DeadLetter extends RecordedEvent {
  /** The address of the program that did not take it, without its query; empty where Knative did not say. */
  readonly destination: string;
  /** The HTTP status; absent where there was none. */
  readonly status?: number;
  /** What was answered, out of its base64, without objects. */
  readonly said?: string;
  readonly times: number;
  readonly first: string;
  readonly last: string;
  readonly state: DeadLetterState;
  readonly note?: string;
}

/** What could not be kept: how many events, from when to when. */
export interface Gap {
  readonly from: string;
  readonly to: string;
  /** Absent where nobody knows. */
  readonly events?: number;
  readonly reason: string;
}

/** What a process that takes events says of itself now and then; times are milliseconds since 1970. */
export interface Sign {
  readonly at: number;
  /** It has been there since then, whether or not its signs could be written; absent at its start. */
  readonly since?: number;
  /** It ends. */
  readonly isLast: boolean;
  /** Nothing is missed while no process runs after the last has ended: whatever comes starts one. */
  readonly sleeps: boolean;
}

/** Where an event is in the chain: the hash before it, and its own, which is of that one and of what is kept of it. */
export interface Link {
  readonly seq: number;
  readonly previous: string;
  readonly hash: string;
}

/** Events that retention has let go and that stood one after the other in the chain: it goes on from `hash`. */
export interface Stretch {
  /** The places of the first and of the last. */
  readonly first: number;
  readonly last: number;
  readonly events: number;
  readonly previous: string;
  readonly hash: string;
}

/** A part of the chain, in the order of the places. */
export interface ChainPage {
  /** The hashes are null of an event that is older than the chain. */
  readonly events: readonly {
    readonly event: RecordedEvent;
    readonly previous: string | null;
    readonly hash: string | null;
  }[];
  /** Before, between and after them. */
  readonly letGo: readonly Stretch[];
  /** Of the newest event, and how many retention has let go up to now. */
  readonly head: { readonly hash: string; readonly gone: number };
}

/** Which events are meant; what is left out does not matter. `before` and `after` are places in the log. */
export interface EventFilter {
  readonly since?: string;
  readonly until?: string;
  readonly type?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly id?: string;
  readonly after?: number;
  readonly before?: number;
}

/** Of events only; `uid` and `version` are those of the object that an event carries, `owner` is the uid of what controls it. */
export interface EventSearch extends EventFilter {
  readonly uid?: string;
  readonly version?: string;
  readonly owner?: string;
  /** A text in the type, kind, namespace, name or id, whatever its case. */
  readonly q?: string;
  /** The object differs there from the event before it about the same object; the first counts too. */
  readonly changed?: 'spec' | 'status';
}

/** How many of what a filter means, and from which end. */
export interface PageRequest {
  readonly order: 'newest-first' | 'oldest-first';
  readonly limit: number;
}

/** What people and programs read of the log. */
export interface LogReader {
  events(filter: EventSearch, page: PageRequest): Promise<readonly RecordedEvent[]>;
  deadLetters(
    filter: EventFilter & { readonly state?: DeadLetterState },
    page: PageRequest,
  ): Promise<readonly DeadLetter[]>;
  /** What became of events, as far as it was reported. */
  deliveries(filter: DeliveryFilter, page: PageRequest): Promise<readonly Delivery[]>;
  gaps(page: PageRequest): Promise<readonly Gap[]>;
  /** This many events after a place, with what proves that they are what was written. */
  chain(after: number, limit: number): Promise<ChainPage>;
  /** How many there are of what a filter means. */
  count(filter: EventSearch & { readonly state?: DeadLetterState }, of: 'events' | 'dead-letters'): Promise<number>;
}

/** What came of the deliveries to one function that had one outcome, since the log began: also of those that are kept no more. */
export interface DeliveryTotal {
  readonly function: string;
  readonly outcome: string;
  readonly deliveries: number;
  /** Milliseconds of all of them together. */
  readonly ms: number;
  /** How many of them waited for a start, and how many milliseconds these starts took together. */
  readonly cold: number;
  readonly coldMs: number;
}

/** Figures of the log for Prometheus. */
export interface LogFigures {
  readonly deliveries: readonly DeliveryTotal[];
  readonly deadLetters: ReadonlyMap<DeadLetterState, number>;
}

/** The log itself. Every promise of a writing call is kept only when it is on the disk. */
export interface EventLog extends LogReader {
  /**
   * False where that event (source and id) is kept already. Once `withdrawn` says so one that still waits is not kept, and
   * rejects with its reason; one that is being written comes to its own end.
   */
  append(event: Received, withdrawn?: AbortSignal): Promise<boolean>;
  /** The same letter once more counts up, and is open again. */
  appendDeadLetter(letter: Received, withdrawn?: AbortSignal): Promise<void>;
  /** Keeps what became of events; a delivery that is reported twice is kept once. */
  appendDeliveries(deliveries: readonly Delivered[], withdrawn?: AbortSignal): Promise<void>;
  /** False where it has failed again since it was read, and so stays open, or is gone. */
  mark(
    letter: Pick<DeadLetter, 'seq' | 'times'>,
    state: Exclude<DeadLetterState, 'open'>,
    note?: string,
  ): Promise<boolean>;
  noteGap(gap: Gap): Promise<void>;
  /** Keeps a sign of life, and the gap before it where nobody took events for too long. */
  sign(sign: Sign): Promise<void>;
  /** Deletes what is older than this many days, then the oldest until it fits; gives how many events went. */
  retain(limits: { readonly days: number; readonly bytes: number }): Promise<number>;
  figures(): Promise<LogFigures>;
  close(): Promise<void>;
}
