import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChannel } from '../../broker/channel.ts';
import type { Answer, CloudEvent } from '../../cloud-event.ts';
import type { Hop } from '../../hop.ts';
import { anEvent, aTrigger, hopsOf } from './build.ts';

const answered = (status: number): Answer => ({ kind: 'answered', status, headers: {}, body: Buffer.alloc(0) });
const delivery = { retry: 2, backoff: 'exponential', backoffDelayMs: 1000, timeoutMs: 5000 } as const;

function arrange(answerOf: (event: CloudEvent) => Promise<Answer>) {
  const [hops, waits]: [Hop[], number[]] = [[], []];
  const subscription = aTrigger('http://log/', { name: 'log', delivery });
  const channel = createChannel(
    { namespace: 'kn-demo', name: 'log', subscriptions: [subscription] },
    {
      deliver: (_, event) => answerOf(event),
      report: (hop) => void hops.push(hop),
      sleep: async (ms) => void waits.push(ms),
    },
  );
  return { channel, hops, waits };
}

const idOf = ({ attributes }: CloudEvent): string => attributes['id'] ?? '';

test('a channel answers before anybody has the event, and one that hangs holds no other back', async () => {
  const taken: string[] = [];
  const hanging = Promise.withResolvers<Answer>();
  const { channel } = arrange((event) => {
    if (idOf(event) === 'slow') return hanging.promise;
    taken.push(idOf(event));
    return Promise.resolve(answered(204));
  });
  for (const id of ['slow', 'a', 'b']) assert.equal(channel.take(anEvent(id)).kind, 'answered');
  assert.deepEqual(channel.take(anEvent('c')), answered(202));
  await new Promise(setImmediate);
  assert.deepEqual(taken, ['a', 'b', 'c']);
  hanging.resolve(answered(204));
  await channel.close(1000);
  assert.deepEqual(channel.take(anEvent('d')), answered(503));
});

test('what is not taken is tried again and then lost, and that is told', async () => {
  const { channel, hops, waits } = arrange(async () => answered(503));
  channel.take(anEvent('a'));
  await channel.close(1000);
  assert.deepEqual(waits, [1000, 2000]);
  assert.equal(hopsOf(hops, 'delivered').length, 3);
  assert.match(hopsOf(hops, 'dropped')[0]?.why ?? '', /there is no dead-letter sink$/);
});

test('a channel that is closed waits no longer than it is told', async () => {
  const { channel } = arrange(() => new Promise(() => undefined));
  channel.take(anEvent('a'));
  const began = performance.now();
  await channel.close(50);
  assert.ok(performance.now() - began < 2000);
});
