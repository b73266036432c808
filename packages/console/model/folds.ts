import { isNoOp } from './narrow.ts';
import type { Delivery, RecordedEvent } from './types.ts';

/** One event, or several in a row that changed nothing. */
export interface Fold {
  readonly key: string;
  readonly events: readonly RecordedEvent[];
}

/** Folds events in a row that changed nothing into one line; a single one stays as it is. */
export function foldedOf(
  events: readonly RecordedEvent[],
  deliveries: ReadonlyMap<number, readonly Delivery[]>,
): readonly Fold[] {
  const folds: { readonly isQuiet: boolean; readonly events: RecordedEvent[] }[] = [];
  for (const event of events) {
    const isQuiet = isNoOp(deliveries.get(event.seq) ?? []);
    const last = folds.at(-1);
    if (isQuiet && last?.isQuiet === true) last.events.push(event);
    else folds.push({ isQuiet, events: [event] });
  }
  return folds.map((fold) => ({
    key: `${fold.isQuiet ? 'quiet' : 'one'} ${fold.events.at(-1)?.seq}`,
    events: fold.events,
  }));
}
