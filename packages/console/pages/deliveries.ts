import { signal } from '@preact/signals';
import { keptWith, trim } from '../model/keeping.ts';
import { askerOf, type Looked, readOf, type Tries } from '../model/looking.ts';
import type { Delivery } from '../model/types.ts';
import { api } from './api.ts';
import { useRepeated } from './asked.ts';
import { html, useEffect } from './html.ts';
import { tail } from './live.ts';

/** The tries to deliver each event, by its place, as far as the page has them. */
export const deliveries = signal<ReadonlyMap<number, readonly Delivery[]>>(new Map());
/** Why there are no deliveries, in the words of the event log. */
export const noDeliveries = signal('');

/** Milliseconds behind the newest event in which its answers are looked for. */
const reach = 20_000;

const tries = new Map<number, Tries>();

/** Asks for the deliveries of these events, a moment later and once for all that are wanted until then. */
export const wantDeliveries = askerOf({ read, isAnswered: (seq) => deliveries.value.has(seq), tries });

/** Reads what became of these events, and of others meanwhile, and keeps what is wanted; undefined where the event log did not answer. */
async function read(
  events: readonly Looked[],
  isWanted: (row: Delivery) => boolean = () => true,
): Promise<readonly Looked[] | undefined> {
  const times = events.map(({ time }) => Date.parse(time));
  try {
    const answer = await api.deliveriesBetween(Math.min(...times), Math.max(...times) + reach);
    keep(answer.deliveries.filter(isWanted));
    noDeliveries.value = '';
    return readOf(events, answer);
  } catch (error) {
    noDeliveries.value = error instanceof Error ? error.message : String(error);
    return undefined;
  }
}

function keep(rows: readonly Delivery[]): void {
  const before = deliveries.value;
  deliveries.value = keptWith(before, rows);
  const gone = new Set([...before.keys()].filter((seq) => !deliveries.value.has(seq)));
  if (gone.size === 0) return;
  // They are asked for anew when a person looks at them again.
  for (const seq of gone) tries.delete(seq);
  looked.value = new Map([...looked.value].filter(([seq]) => !gone.has(seq)));
}

/** The events whose deliveries were asked for step by step, and whether all of them came. */
const looked = signal<ReadonlyMap<number, boolean>>(new Map());
const step = 250;
let isLooking = false;

/** How many of some events the page knows all deliveries of, and of how many there were too many to read. */
export interface Look {
  readonly read: number;
  readonly unread: number;
  readonly isDone: boolean;
}

/** Asks for the deliveries of all these events, which begin with the newest, in steps. */
export function useLook(events: readonly Looked[], isWanted: boolean): Look {
  const known = looked.value;
  useEffect(() => {
    const open = isWanted ? events.filter(({ seq }) => !known.has(seq)) : [];
    if (open.length > 0 && !isLooking) void look(open.slice(0, step));
  }, [events, isWanted, known]);
  if (!isWanted) return { read: 0, unread: 0, isDone: true };
  const [read, unread] = [true, false].map((is) => events.filter(({ seq }) => known.get(seq) === is).length);
  return { read: read ?? 0, unread: unread ?? 0, isDone: events.every(({ seq }) => known.has(seq)) };
}

async function look(events: readonly Looked[]): Promise<void> {
  isLooking = true;
  const own = new Set(events.map(({ seq }) => seq));
  const found = await read(events, ({ event }) => own.has(event));
  isLooking = false;
  if (found === undefined) return;
  // Where one event alone has more answers behind it than can be read, the next ones come all the same.
  const done = found.length > 0 ? found : events;
  const next = new Map([...looked.value, ...done.map(({ seq }) => [seq, found.length > 0] as const)]);
  trim(next);
  looked.value = next;
}

/** Seconds in which a function answers, as a rule, also one that sleeps. */
const patience = 60;

/** Whether functions report nothing: the log has no delivery, though it has events that are old enough for one. */
export function useSilence(): boolean {
  const last = useRepeated(() => api.lastDeliveries(1), [], 15);
  const isOld = tail.value.some(({ time }) => Date.now() - Date.parse(time) > patience * 1000);
  return last.value?.length === 0 && deliveries.value.size === 0 && isOld;
}

/** In place of a sentence about what functions did not do. */
export function Silence() {
  return html`<p class="notice" role="status">The functions report no deliveries here: turn the overlay <code>deliveries</code> on.</p>`;
}
