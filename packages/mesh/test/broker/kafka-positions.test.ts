import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepPositions } from '../../broker/kafka-positions.ts';
import type { Store, Writing } from '../../broker/kafka-store.ts';

test('positions that the disk does not take are said, and written the next time', () => {
  const written: Writing[] = [];
  const said: string[] = [];
  let full = true;
  const store: Store = {
    write: (writing) => {
      if (full) throw new Error('disk full');
      written.push(writing);
      return [];
    },
    read: () => [],
    positions: () => [{ consumer: 'c', partition: 0, offset: 3 }],
    latest: () => 9,
    sync: async () => undefined,
    close: () => {},
  };
  const positions = keepPositions({ store, consumers: ['c'], partitions: 1, onTrouble: (why) => said.push(why) });
  positions.move({ consumer: 'c', partition: 0, offset: 7 });
  positions.close();
  assert.deepEqual(said, ['positions could not be stored: Error: disk full']);
  full = false;
  positions.close();
  const [{ positions: moved, done } = {}] = written;
  assert.deepEqual(moved, [{ consumer: 'c', partition: 0, offset: 7 }]);
  assert.deepEqual(
    done?.map(({ partition, offset }) => [partition, offset]),
    [[0, 7]],
  );
});
