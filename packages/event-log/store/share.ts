/** Whoever sent events, told by their source and the namespace of what they are about, and how many bytes of them are kept. */
export interface Held {
  readonly source: string;
  readonly namespace: string;
  readonly bytes: number;
}

export interface Holding {
  /** How many bytes of rows may be kept. */
  readonly room: number;
  /** Of dead letters. */
  readonly letters: number;
  /** Of events, all senders together. */
  readonly events: number;
  /** The senders with most, the first two of them at least. */
  readonly largest: readonly Held[];
}

/** What has to go: so many bytes of dead letters, or of the oldest events of one sender. */
export type Excess =
  | { readonly kind: 'dead-letters'; readonly bytes: number }
  | { readonly kind: 'events'; readonly sender: Held; readonly bytes: number };

/** Of the room: dead letters have so much, whatever events there are, and one sender of events may have so much. */
const ofLetters = 1 / 8;
const ofSender = 1 / 2;

/** Of the room: so much goes at once at least where senders have the same. */
const step = 1 / 1024;

/** What goes next, if anything does: of dead letters what is beyond their part; of events those of whoever has most. */
export function excessOf({ room, letters, events, largest }: Holding): Excess | undefined {
  const lettersTooMany = letters - room * ofLetters;
  if (lettersTooMany > 0) return { kind: 'dead-letters', bytes: Math.ceil(lettersTooMany) };
  const [first, second] = largest;
  if (first === undefined) return undefined;
  const ofOne = first.bytes - room * ofSender;
  if (ofOne > 0) return { kind: 'events', sender: first, bytes: Math.ceil(ofOne) };
  const ofAll = events + letters - room;
  if (ofAll <= 0) return undefined;
  const lead = first.bytes - (second?.bytes ?? 0);
  return { kind: 'events', sender: first, bytes: Math.ceil(Math.min(ofAll, Math.max(lead, room * step))) };
}
