import { setImmediate as turn } from 'node:timers/promises';
import type { RecordedEvent } from '../../../controller/domain/event-log.ts';
import type { Clock } from '../../replay/clock.ts';

/** An event about the Message shop/hello at this place. */
export function recorded(seq: number, more: Partial<RecordedEvent> = {}): RecordedEvent {
  const time = new Date(Date.parse('2026-03-01T12:00:00Z') + seq * 1000).toISOString();
  return {
    seq,
    recorded: time,
    id: `e-${seq}`,
    source: '/s',
    type: 'a.b.update',
    time,
    kind: 'Message',
    namespace: 'shop',
    name: 'hello',
    extensions: { apiversion: 'myorg.dev/v1' },
    ...more,
  };
}

export async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

/** Time that goes on only where somebody sleeps. */
export function stillClock() {
  const sleeps: number[] = [];
  let time = 0;
  const clock: Clock = {
    now: () => time,
    sleep: async (ms) => {
      sleeps.push(ms);
      time += ms;
      await turn();
    },
  };
  return { clock, sleeps };
}

export async function gather<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
