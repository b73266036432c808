import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeliveryResult } from '../../broker/delivery.ts';
import { createConsumer } from '../../broker/kafka-consumer.ts';
import type { CloudEvent } from '../../cloud-event.ts';
import { anEvent, aTrigger } from './build.ts';

const partitions = 4;

/** One Trigger over a log that is kept in memory. */
function stage({ ordered }: { readonly ordered: boolean }) {
  const events = Array.from({ length: partitions }, (): CloudEvent[] => []);
  const asked: number[] = [];
  const begun: { readonly id: string; readonly end: (result: DeliveryResult) => void }[] = [];
  const consumer = createConsumer({
    name: 'kn-demo/sold',
    trigger: aTrigger('http://127.0.0.1/', { ordered }),
    partitions,
    log: {
      append: () => Promise.reject(new Error('nobody appends')),
      read: (partition, after, limit) => {
        asked.push(partition);
        const found = (events[partition] ?? []).map((event, index) => ({ event, partition, offset: index + 1 }));
        return found.filter(({ offset }) => offset > after).slice(0, limit);
      },
      positions: { at: () => 0, move: () => undefined },
      close: () => undefined,
    },
    deliver: ({ attributes: { id = '' } }) => {
      const { promise, resolve } = Promise.withResolvers<DeliveryResult>();
      begun.push({ id, end: resolve });
      return promise;
    },
  });
  const append = (partition: number, ...ids: readonly string[]): void => {
    for (const id of ids) events[partition]?.push(anEvent(id));
  };
  const ids = (): readonly string[] => begun.map(({ id }) => id);
  const end = async (id: string): Promise<void> => {
    begun.find((one) => one.id === id)?.end('finished');
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { consumer, append, asked, ids, end };
}

describe('a Trigger of the Broker of class Kafka', () => {
  it('looks only into the partitions in which something is new', () => {
    const { consumer, append, asked, ids } = stage({ ordered: false });
    consumer.wake();
    assert.deepEqual(asked.splice(0), [0, 1, 2, 3]);
    append(2, 'a');
    consumer.wake(new Set([2]));
    assert.deepEqual([ids(), [...new Set(asked)]], [['a'], [2]]);
  });

  it('takes one event of each partition in turn', () => {
    const { consumer, append, ids } = stage({ ordered: false });
    append(0, 'a1', 'a2', 'a3');
    append(1, 'b1', 'b2');
    consumer.wake(new Set([0, 1]));
    assert.deepEqual(ids(), ['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('that keeps the order begins the next event of a partition when the one before is over', async () => {
    const { consumer, append, ids, end } = stage({ ordered: true });
    append(0, 'a1', 'a2');
    append(3, 'b1');
    consumer.wake();
    assert.deepEqual(ids(), ['a1', 'b1']);
    append(0, 'a3');
    consumer.wake(new Set([0]));
    assert.deepEqual(ids(), ['a1', 'b1']);
    await end('a1');
    await end('a2');
    assert.deepEqual(ids(), ['a1', 'b1', 'a2', 'a3']);
  });

  it('has at most four events of a partition under way at a time, and begins the next as soon as one is over', async () => {
    const { consumer, append, ids, end } = stage({ ordered: false });
    append(1, '1', '2', '3', '4', '5', '6');
    consumer.wake(new Set([1]));
    assert.deepEqual(ids(), ['1', '2', '3', '4']);
    await end('3');
    assert.deepEqual(ids(), ['1', '2', '3', '4', '5']);
  });
});
