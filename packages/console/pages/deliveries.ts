import { signal } from '@preact/signals';
import type { Delivery, RecordedEvent } from '../model/types.ts';
import { api } from './api.ts';

/** The tries to deliver each event, by its place, as far as the page has them. */
export const deliveries = signal<ReadonlyMap<number, readonly Delivery[]>>(new Map());
/** Why there are no deliveries, in the words of the event log. */
export const noDeliveries = signal('');

type Wanted = Pick<RecordedEvent, 'seq' | 'time'>;

/** How often an event was asked for: a function that starts takes seconds to answer. */
const tries = new Map<number, number>();
const mostTries = 6;
/** Milliseconds after which an event that has an answer gets no further one, as a rule. */
const settled = 5000;
/** Milliseconds behind the newest event in which its answers are looked for. */
const reach = 20_000;
let wanted: readonly Wanted[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Asks for the deliveries of these events, a moment later and once for all that are wanted until then. */
export function wantDeliveries(events: readonly Wanted[]): void {
  wanted = events;
  clearTimeout(timer);
  timer = setTimeout(() => void ask(), 300);
}

function isOpen({ seq, time }: Wanted): boolean {
  const isYoung = Date.now() - Date.parse(time) < settled;
  return (isYoung || !deliveries.value.has(seq)) && (tries.get(seq) ?? 0) < mostTries;
}

async function ask(): Promise<void> {
  const open = wanted.filter(isOpen);
  if (open.length === 0) return;
  for (const { seq } of open) tries.set(seq, (tries.get(seq) ?? 0) + 1);
  const times = open.map(({ time }) => Date.parse(time));
  try {
    keep(await api.deliveriesBetween(Math.min(...times), Math.max(...times) + reach));
    noDeliveries.value = '';
  } catch (error) {
    noDeliveries.value = error instanceof Error ? error.message : String(error);
  }
  clearTimeout(timer);
  timer = setTimeout(() => void ask(), 1500);
}

function keep(rows: readonly Delivery[]): void {
  const next = new Map(deliveries.value);
  for (const row of rows) {
    const known = next.get(row.event) ?? [];
    if (!known.some(({ seq }) => seq === row.seq)) next.set(row.event, [...known, row]);
  }
  if ([...next].some(([event, of]) => deliveries.value.get(event)?.length !== of.length)) deliveries.value = next;
}
