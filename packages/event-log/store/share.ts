/** A sender of events, identified by their source and the namespace they are about, and the bytes kept for it. */
export interface Held {
  readonly source: string;
  readonly namespace: string;
  readonly bytes: number;
}

export interface Holding {
  /** The bytes of rows that may be kept. */
  readonly room: number;
  /** The bytes of dead letters. */
  readonly letters: number;
  /** The bytes of deliveries. */
  readonly deliveries: number;
  /** The bytes of events of all senders together. */
  readonly events: number;
  /** The senders with most bytes, at least the first two of them. */
  readonly largest: readonly Held[];
}

/** What has to go: this many bytes of dead letters, of the oldest deliveries, or of the oldest events of one sender. */
export type Excess =
  | { readonly kind: 'dead-letters' | 'deliveries'; readonly bytes: number }
  | { readonly kind: 'events'; readonly sender: Held; readonly bytes: number };

/** Of the room: the part that dead letters may have besides events, that deliveries may have, and the part that one sender of events may have. */
const ofLetters = 1 / 8;
const ofDeliveries = 1 / 8;
const ofSender = 1 / 2;

/** Of the room: at least this much goes at once if two senders have the same. */
const step = 1 / 1024;

/** What goes next, if anything: dead letters beyond their part, deliveries beyond theirs, then events of the sender with most. */
export function excessOf({ room, letters, deliveries, events, largest }: Holding): Excess | undefined {
  const lettersTooMany = letters - room * ofLetters;
  if (lettersTooMany > 0) return { kind: 'dead-letters', bytes: Math.ceil(lettersTooMany) };
  const deliveriesTooMany = deliveries - room * ofDeliveries;
  if (deliveriesTooMany > 0) return { kind: 'deliveries', bytes: Math.ceil(deliveriesTooMany) };
  const [first, second] = largest;
  if (first === undefined) return undefined;
  const ofOne = first.bytes - room * ofSender;
  if (ofOne > 0) return { kind: 'events', sender: first, bytes: Math.ceil(ofOne) };
  const ofAll = events + letters + deliveries - room;
  if (ofAll <= 0) return undefined;
  const lead = first.bytes - (second?.bytes ?? 0);
  return { kind: 'events', sender: first, bytes: Math.ceil(Math.min(ofAll, Math.max(lead, room * step))) };
}
