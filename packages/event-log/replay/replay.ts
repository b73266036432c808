import type { Outgoing } from '../../controller/domain/change.ts';
import { asKnudgeError, KnudgeError } from '../../controller/domain/errors.ts';
import type { RecordedEvent } from '../../controller/domain/event-log.ts';
import { type Clock, realClock } from './clock.ts';
import { outgoingOf } from './outgoing.ts';
import { createPace } from './pace.ts';
import { persist } from './persist.ts';

export interface Counts {
  /** Events that the Broker took. */
  readonly sent: number;
  /** Events that the Broker refused as they are; they were skipped. */
  readonly refused: number;
}

/** What is sent again, where to and how fast. */
export interface ReplayParts {
  /** In the order in which they are to be sent. */
  readonly events: AsyncIterable<RecordedEvent>;
  /** Hands one event to the Broker. Reject with a KnudgeError `unavailable` and the like to have it tried again. */
  readonly send: (event: Outgoing, recorded: RecordedEvent) => Promise<void>;
  /** `usualRate` by default. */
  readonly perSecond?: number;
  /** The replay ends after this many tries. */
  readonly limit?: number;
  /** Ends the replay after the event that is on its way. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** Milliseconds before each further try of one event. */
  readonly waits?: readonly number[];
  readonly onSent?: (event: RecordedEvent, counts: Counts) => void;
  readonly onRefused?: (event: RecordedEvent, error: KnudgeError, counts: Counts) => void;
  readonly onWait?: (error: KnudgeError, ms: number) => void;
}

/** How far a replay came, and why it ended there. */
export interface ReplayResult extends Counts {
  /** `all`: no event is left. `failed`: the Broker or the log did not answer, and `error` says why. */
  readonly end: 'all' | 'limit' | 'stopped' | 'failed';
  readonly error?: KnudgeError;
  /** The sent events that the log keeps only in part; absent if there were none. */
  readonly shortened?: number;
  /** The place of the last one that was sent or refused: go on after it. Absent if there was none. */
  readonly last?: number;
}

/** Events a second: a function and an API server of any size bear that beside their work. */
export const usualRate = 50;

/** If the first events, this many, are all refused, the address is not that of a Broker. */
const refusedAtFirst = 20;

/** Sends recorded events again, one at a time, 50 a second at most: the next goes when the last is answered. Never rejects: `end` says why it ended. */
export async function replay(parts: ReplayParts): Promise<ReplayResult> {
  const { clock = realClock, signal, limit = Number.POSITIVE_INFINITY } = parts;
  const pace = createPace(parts.perSecond ?? usualRate, clock);
  const progress: { sent: number; refused: number; shortened?: number; last?: number } = { sent: 0, refused: 0 };
  try {
    for await (const event of parts.events) {
      if (progress.sent + progress.refused >= limit) return { ...progress, end: 'limit' };
      await pace(signal);
      if (signal?.aborted) return { ...progress, end: 'stopped' };
      const error = await sendOne(event, { ...parts, clock });
      count(progress, event, error);
      progress.last = event.seq;
      if (error === undefined) parts.onSent?.(event, { ...progress });
      else parts.onRefused?.(event, error, { ...progress });
      if (error !== undefined) throwIfNoBroker(progress, error);
    }
  } catch (thrown) {
    const end = signal?.aborted ? 'stopped' : 'failed';
    return { ...progress, end, error: asKnudgeError(thrown) };
  }
  return { ...progress, end: 'all' };
}

function count(
  progress: { sent: number; refused: number; shortened?: number },
  { shortened }: RecordedEvent,
  error: KnudgeError | undefined,
): void {
  if (error !== undefined) progress.refused += 1;
  else progress.sent += 1;
  if (error === undefined && shortened !== undefined) progress.shortened = (progress.shortened ?? 0) + 1;
}

/** Why an event was refused; undefined if it was taken. */
async function sendOne(
  event: RecordedEvent,
  { send, ...parts }: ReplayParts & { readonly clock: Clock },
): Promise<KnudgeError | undefined> {
  try {
    await persist(() => send(outgoingOf(event), event), parts);
    return undefined;
  } catch (thrown) {
    const error = asKnudgeError(thrown);
    if (ofTheEvent.has(error.code)) return error;
    throw error;
  }
}

/** Codes with which a Broker refuses this one event; `invalid-request` and the like are about the sender. */
const ofTheEvent: ReadonlySet<string> = new Set(['invalid-event', 'too-large', 'unsupported-media-type']);

function throwIfNoBroker({ sent, refused }: Counts, { message }: KnudgeError): void {
  if (sent > 0 || refused < refusedAtFirst) return;
  throw new KnudgeError('unexpected-answer', `the first ${refused} events were all refused: ${message}`);
}
