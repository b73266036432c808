import type { DeadLetterState, LogFigures } from '../../controller/domain/event-log.ts';
import type { Store } from './writing.ts';

const letterStates: readonly DeadLetterState[] = ['open', 'sent-again', 'discarded'];

/** Reads the figures from small tables and an index, so that a scrape costs little however long the log is. */
export async function figuresOf({ read }: Pick<Store, 'read'>): Promise<LogFigures> {
  const totals = await read({ sql: 'SELECT * FROM delivered ORDER BY function, outcome', values: [] });
  const letters = await read({ sql: 'SELECT state, count(*) AS count FROM dead_letters GROUP BY state', values: [] });
  const counted = new Map(letters.map((row) => [String(row['state']), Number(row['count'])]));
  return {
    deliveries: totals.map((row) => ({
      function: String(row['function']),
      outcome: String(row['outcome']),
      deliveries: Number(row['deliveries']),
      ms: Number(row['ms']),
      cold: Number(row['cold']),
      coldMs: Number(row['cold_ms']),
    })),
    deadLetters: new Map(letterStates.map((state) => [state, counted.get(state) ?? 0])),
  };
}
