import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { postEvent } from '../../broker/http-deliver.ts';
import type { CloudEvent } from '../../cloud-event.ts';
import { aFolder, anEvent, until } from './build.ts';
import { startSubscriber } from './subscriber.ts';

const program = new URL('./broker-process.ts', import.meta.url);

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
}

async function run(t: TestContext, args: readonly string[]): Promise<Running> {
  const child = fork(program, [...args], { execArgv: [] });
  t.after(() => child.kill('SIGKILL'));
  const [url] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  assert.equal(typeof url, 'string', 'the Broker did not start');
  return { child, url };
}

async function kill({ child }: Running): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** One sender: numbers its events by its key, and sends each until it is accepted. */
async function send(key: string, { url, stopped, accepted }: Sending): Promise<void> {
  for (let number = 1; !stopped(); number += 1) {
    const event = anEvent(`${key}/${number}`, { partitionkey: key });
    if (await sendUntilAccepted(event, { url, stopped })) accepted.push(`${key}/${number}`);
  }
}

interface Sending {
  readonly url: () => string;
  readonly stopped: () => boolean;
  readonly accepted: string[];
}

async function sendUntilAccepted(event: CloudEvent, { url, stopped }: Omit<Sending, 'accepted'>): Promise<boolean> {
  while (!stopped()) {
    const answer = await postEvent(url(), event, 5000);
    if (answer.kind === 'answered' && answer.status === 202) return true;
    await wait(5);
  }
  return false;
}

/** Of one key the numbers as they came: a new one only after the one before it; old ones may come again. */
function jumpsOf(ids: readonly string[], key: string): readonly number[] {
  let newest = 0;
  return ids
    .filter((id) => id.startsWith(`${key}/`))
    .map((id) => Number(id.slice(key.length + 1)))
    .filter((number) => {
      const jumps = number > newest + 1;
      newest = Math.max(newest, number);
      return jumps;
    });
}

suite('a Broker of class Kafka whose process is killed again and again', { timeout: 30_000 }, () => {
  for (const ordered of [true, false]) {
    test(`loses nothing that it accepted (${ordered ? 'ordered' : 'unordered'})`, async (t) => {
      const dir = aFolder(t);
      const subscriber = await startSubscriber(t, (_, before) => ({ status: before % 5 === 0 ? 503 : 202 }));
      const args = ['Kafka', dir, subscriber.url, ordered ? 'ordered' : 'unordered'];
      let running = await run(t, args);
      let stopped = false;
      const accepted: string[] = [];
      const sending = { url: () => running.url, stopped: () => stopped, accepted };
      const keys = ['a', 'b', 'c', 'd'];
      const senders = Promise.all(keys.map((key) => send(key, sending)));

      for (let kills = 0; kills < 3; kills += 1) {
        const before = accepted.length;
        await until(() => accepted.length > before + 40, 'it accepted some');
        await kill(running);
        running = await run(t, args);
      }
      stopped = true;
      await senders;

      const isComplete = () => {
        const got = new Set(subscriber.ids());
        return accepted.every((id) => got.has(id));
      };
      await until(isComplete, 'all that was accepted came');
      assert.ok(accepted.length > 120);
      if (!ordered) return;
      for (const key of keys) assert.deepEqual(jumpsOf(subscriber.ids(), key), []);
    });
  }
});

test('an MTChannelBasedBroker whose process is killed loses what is in flight, and had not accepted it', async (t) => {
  let up = false;
  const subscriber = await startSubscriber(t, () => ({ status: up ? 202 : 503 }));
  const args = ['MTChannelBasedBroker', '', subscriber.url];
  const first = await run(t, args);
  const answer = postEvent(first.url, anEvent('lost'), 5000);
  await until(() => subscriber.got.length > 1, 'it was tried again');
  await kill(first);
  assert.equal((await answer).kind, 'failed');
  up = true;
  subscriber.got.length = 0;
  const second = await run(t, args);
  await postEvent(second.url, anEvent('next'), 5000);
  assert.deepEqual(subscriber.ids(), ['next']);
});
