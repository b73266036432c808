import type { EventLog, LogReader } from '../../controller/domain/event-log.ts';
import { createBatch } from './batch.ts';
import { type DeliveryWriting, selectDeliveries, toDelivery, toDeliveryRow } from './delivery-row.ts';
import { figuresOf } from './figures.ts';
import { count, select } from './query.ts';
import { hashesOf, toEvent, toEventRow, toGap, toLetter, toLetterRow, toStretch } from './row.ts';
import type { Store, Writing } from './writing.ts';

const day = 24 * 60 * 60 * 1000;

const mebibyte = 1024 * 1024;

/** A transaction of this many rows is still short; this many rows, and this many bytes of them, may wait for it. */
const batch = {
  mostAtOnce: 256,
  mostBytesAtOnce: 4 * mebibyte,
  mostWaiting: 4096,
  mostBytes: 32 * mebibyte,
} as const;

/** A report has a hundred rows at most, each with its writes: few reports make a transaction of the same length. */
const reports = { ...batch, mostAtOnce: 4 } as const;

/**
 * The log over a store; `now` in milliseconds since 1970; `onWritten` gets the bytes of rows that were kept. Rejects with a KnudgeError,
 * `unavailable` if a new try makes sense.
 */
export function createLog(store: Store, now: () => number, onWritten: (bytes: number) => void = () => {}): EventLog {
  const sizeOf = ({ row }: Writing): number => row.size;
  const writeAll = async (writings: readonly Writing[]): Promise<readonly boolean[]> => {
    const fresh = await store.write(writings);
    onWritten(writings.reduce((sum, one, index) => sum + (fresh[index] ? sizeOf(one) : 0), 0));
    return fresh;
  };
  const writing = () => createBatch<Writing, boolean>({ ...batch, write: writeAll, sizeOf });
  // Dead letters have their own batch, so they do not wait behind events.
  const [write, writeLetter] = [writing(), writing()];
  const writeReport = createBatch<readonly DeliveryWriting[], void>({
    ...reports,
    write: async (given) => {
      onWritten(await store.keepDeliveries(given.flat()));
      return given.map(() => undefined);
    },
    sizeOf: (rows) => rows.reduce((sum, { row }) => sum + row.size, 0),
  });
  return {
    ...readerOf(store),
    append: async (event, withdrawn) => write({ to: 'events', row: toEventRow(event, now()) }, withdrawn),
    appendDeadLetter: async (letter, withdrawn) => {
      await writeLetter({ to: 'dead_letters', row: toLetterRow(letter, now()) }, withdrawn);
    },
    appendDeliveries: async (deliveries, withdrawn) =>
      writeReport(
        deliveries.map((one) => toDeliveryRow(one, now())),
        withdrawn,
      ),
    mark: async ({ seq, times }, state, note) => (await store.mark({ seq, times, state, note: note ?? null })) > 0,
    noteGap: store.noteGap,
    figures: () => figuresOf(store),
    sign: store.sign,
    retain: async ({ days, bytes }) => {
      const before = new Date(now() - days * day).toISOString();
      let gone = 0;
      for (;;) {
        const { events, letters, deliveries } = await store.shrink({ before, bytes });
        if (events + letters + deliveries === 0) return gone;
        gone += events;
      }
    },
    close: store.close,
  };
}

/** The reading part of a store. */
export function readerOf({ read }: Pick<Store, 'read'>): LogReader {
  return {
    events: async (filter, page) => (await read(select('events', filter, page))).map(toEvent),
    deadLetters: async (filter, page) => (await read(select('dead_letters', filter, page))).map(toLetter),
    deliveries: async (filter, page) => (await read(selectDeliveries(filter, page))).map(toDelivery),
    gaps: async (page) => (await read(select('gaps', {}, page))).map(toGap),
    chain: async (after, limit) => {
      const [head] = await read({ sql: 'SELECT hash, gone FROM chain', values: [] });
      const rows = await read(select('events', { after }, { order: 'oldest-first', limit }));
      const last = rows.length < limit ? Number.MAX_SAFE_INTEGER : Number(rows.at(-1)?.['seq']);
      const sql = 'SELECT * FROM let_go WHERE first > ? AND first <= ? ORDER BY first';
      const letGo = await read({ sql, values: [after, last] });
      return {
        events: rows.map((row) => ({ event: toEvent(row), ...hashesOf(row) })),
        letGo: letGo.map(toStretch),
        head: { hash: String(head?.['hash']), gone: Number(head?.['gone']) },
      };
    },
    count: async (filter, of) => {
      const [row] = await read(count(of === 'events' ? 'events' : 'dead_letters', filter));
      return Number(row?.['count']);
    },
  };
}
