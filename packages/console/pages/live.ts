import { signal } from '@preact/signals';
import { mergedWith } from '../model/rows.ts';
import { readerOfEvents, type Sent } from '../model/sse.ts';
import type { DeadLetter, RecordedEvent } from '../model/types.ts';
import { api } from './api.ts';
import { ApiError } from './request.ts';

export type Connection = 'connecting' | 'live' | 'asking' | 'lost' | 'ended';

/** The newest events that came while the page was open, and the last ones before. */
export const tail = signal<readonly RecordedEvent[]>([]);
export const connection = signal<Connection>('connecting');
export const isPaused = signal(false);
/** How many events came while the tail was paused. */
export const waitingCount = signal(0);
let waiting: readonly RecordedEvent[] = [];

/** Counts the dead letters that came, and those whose state somebody has changed, since the page is open. */
export const letterChanges = signal(0);

/** The most events that the tail holds: its newest. */
export const mostInTail = 2000;
const seconds = (count: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, count * 1000));

/** Milliseconds in which the log is asked again and again before the stream is tried once more. */
const withoutStream = 30_000;

let newest = 0;
/** Where the stream goes on: `129-7`. */
let place = '';

/** Follows the log until the page is left or its session ends: by its stream, else by asking every two seconds. */
export async function followLog(): Promise<void> {
  let askUntil = 0;
  for (;;) {
    try {
      if (newest === 0) await begin();
      if (performance.now() < askUntil) await askNext();
      else await readStream();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        connection.value = 'ended';
        return;
      }
      // No stream there, or too many of them.
      if (error instanceof ApiError && (error.isMissing || error.status === 503)) {
        askUntil = performance.now() + withoutStream;
        await askNext().catch(() => seconds(2));
      } else {
        connection.value = 'lost';
        await seconds(2);
      }
    }
  }
}

export function togglePause(): void {
  isPaused.value = !isPaused.value;
  if (isPaused.value) return;
  tail.value = mergedWith(tail.value, waiting, mostInTail);
  waiting = [];
  waitingCount.value = 0;
}

async function begin(): Promise<void> {
  const { events } = await api.events({}, 50);
  newest = events[0]?.seq ?? 0;
  tail.value = mergedWith(tail.value, events, mostInTail);
}

async function readStream(): Promise<void> {
  const body = await api.stream(place || `${newest}`);
  connection.value = 'live';
  const read = readerOfEvents();
  for await (const piece of body.pipeThrough(new TextDecoderStream())) take(read(piece));
}

async function askNext(): Promise<void> {
  const { events } = await api.after(newest);
  connection.value = 'asking';
  letterChanges.value += 1;
  takeEvents(events);
  await seconds(2);
}

function take(messages: readonly Sent[]): void {
  place = messages.findLast(({ id }) => id !== undefined)?.id ?? place;
  const dataOf = (name: string) => messages.filter(({ event }) => event === name).map(({ data }) => JSON.parse(data));
  takeEvents(dataOf('event') as readonly RecordedEvent[]);
  letterChanges.value += (dataOf('dead-letter') as readonly DeadLetter[]).length;
  const [failed] = dataOf('failed') as readonly { readonly message: string }[];
  if (failed !== undefined) throw new Error(failed.message);
}

function takeEvents(events: readonly RecordedEvent[]): void {
  if (events.length === 0) return;
  newest = Math.max(newest, ...events.map(({ seq }) => seq));
  if (!isPaused.value) {
    tail.value = mergedWith(tail.value, events, mostInTail);
    return;
  }
  waiting = mergedWith(waiting, events, mostInTail);
  waitingCount.value += events.length;
}
