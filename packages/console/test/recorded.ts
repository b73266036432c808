import { readFileSync } from 'node:fs';
import { type ChainAnswer, deliveryOf, type HistoryAnswer } from '../model/answers.ts';
import type { DeadLetter, Delivery, EventMap, RecordedEvent, Reported } from '../model/types.ts';

/** What the log of a real mesh answered (`npm start`, `examples/`, a patch of a Message, events that functions refuse): a part of its events. */
export interface Recorded {
  readonly events: readonly RecordedEvent[];
  readonly deadLetters: readonly DeadLetter[];
  readonly deliveries: readonly Delivery[];
  readonly map: EventMap;
  /** Of the Message `default/hello`. */
  readonly history: HistoryAnswer;
  /** Of the event that its patch made. */
  readonly chain: ChainAnswer & { readonly event: { readonly seq: number } };
}

const file = new URL('../../../test/fixtures/console/recorded.json', import.meta.url);

export function readRecorded(): Recorded {
  const { deliveries, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as Recorded & {
    readonly deliveries: readonly Reported[];
  };
  return { ...rest, deliveries: deliveries.map(deliveryOf) };
}
