import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CourierOptions, createCourier } from '../courier.ts';
import type { Parcel } from '../parcel.ts';

const parcel = (object: string, body: string, bytes = 10): Parcel => ({
  object,
  bytes,
  event: { attributes: {}, contentType: 'text/plain', data: Buffer.from(body), headers: {} },
});

/** A courier to a sink that the test answers for, and whose timers the test lets go. */
function aCourier(options: Partial<CourierOptions> = {}) {
  const asked: { readonly body: string; readonly answer: (isTaken: boolean) => void }[] = [];
  const timers: { readonly ms: number; readonly call: () => void }[] = [];
  const taken: string[] = [];
  const courier = createCourier({
    most: 2,
    mostBytes: 100,
    mostAheadBytes: 100,
    firstBackoffMs: 100,
    longestBackoffMs: 400,
    random: () => 1,
    now: () => 0,
    send: ({ event }) => new Promise((answer) => asked.push({ body: event.data.toString(), answer })),
    after: (ms, call) => {
      timers.push({ ms, call });
      return () => undefined;
    },
    ...options,
  });
  const add = (object: string, body: string, bytes?: number): void =>
    courier.add(parcel(object, body, bytes), () => taken.push(body));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { courier, asked, timers, taken, add, turn, bodies: () => asked.map(({ body }) => body) };
}

test('events of one object go one after the other, of others side by side up to the bound', async () => {
  const { add, asked, bodies, taken, turn } = aCourier();
  for (const [object, body] of [
    ['a', 'a1'],
    ['a', 'a2'],
    ['b', 'b1'],
    ['c', 'c1'],
  ] as const)
    add(object, body);
  assert.deepEqual(bodies(), ['a1', 'b1']);
  asked[0]?.answer(true);
  await turn();
  assert.deepEqual([bodies(), taken], [['a1', 'b1', 'c1'], ['a1']]);
  asked[1]?.answer(true);
  await turn();
  assert.deepEqual(bodies(), ['a1', 'b1', 'c1', 'a2']);
});

test('what is not taken is tried again for ever, later and later, and takes the place of nobody', async () => {
  const { add, asked, bodies, timers, taken, turn, courier } = aCourier({ most: 1 });
  add('a', 'a1');
  add('a', 'a2');
  add('b', 'b1');
  for (let tries = 0; tries < 4; tries += 1) {
    asked.at(-1)?.answer(false);
    await turn();
    if (tries === 0) {
      assert.equal(bodies().at(-1), 'b1');
      asked.at(-1)?.answer(true);
      await turn();
    }
    timers.at(-1)?.call();
  }
  assert.deepEqual(
    timers.map(({ ms }) => ms),
    [100, 200, 400, 400],
  );
  asked.at(-1)?.answer(true);
  await turn();
  assert.deepEqual([bodies().at(-1), taken], ['a2', ['b1', 'a1']]);
  assert.deepEqual([courier.counts().sent, courier.counts().failed], [2, 4]);
});

test('who adds waits while as many bytes wait as may', async () => {
  const { courier, add, asked, turn } = aCourier();
  add('a', 'a1', 60);
  await courier.room();
  add('b', 'b1', 60);
  let hasRoom = false;
  void courier.room().then(() => {
    hasRoom = true;
  });
  await turn();
  assert.equal(hasRoom, false);
  asked[0]?.answer(true);
  await turn();
  assert.equal(hasRoom, true);
  assert.deepEqual([courier.counts().waiting, courier.counts().bytes], [1, 60]);
});

test('less is read ahead of a sink that takes events than is kept for one that does not', async () => {
  const { courier, add, asked, turn } = aCourier({ most: 3, mostBytes: 60, mostAheadBytes: 20 });
  const hasRoom = async (): Promise<boolean> => {
    let isIn = false;
    void courier.room().then(() => {
      isIn = true;
    });
    await turn();
    return isIn;
  };
  add('a', 'a1');
  assert.equal(await hasRoom(), true);
  add('a', 'a2');
  assert.equal(await hasRoom(), false, 'all that waits goes on its way soon');
  asked[0]?.answer(false);
  await turn();
  assert.equal(await hasRoom(), true, 'both wait for the next try of the first');
  for (const object of ['a', 'b']) add(object, `${object}3`);
  assert.equal(await hasRoom(), true, 'what joins those is not ahead either');
  add('c', 'c1');
  assert.equal(await hasRoom(), false);
  asked[1]?.answer(true);
  await turn();
  assert.equal(await hasRoom(), true);
  for (const body of ['a4', 'a5']) add('a', body);
  assert.equal(await hasRoom(), false, 'in all it is bounded too');
});

test('what waited for a next try is ahead again once that was taken', async () => {
  const { courier, add, asked, timers, turn } = aCourier({ most: 3, mostAheadBytes: 20 });
  for (const body of ['a1', 'a2', 'a3']) add('a', body);
  asked[0]?.answer(false);
  await turn();
  timers[0]?.call();
  asked[1]?.answer(true);
  await turn();
  let isIn = false;
  void courier.room().then(() => {
    isIn = true;
  });
  await turn();
  assert.equal(isIn, false);
  asked[2]?.answer(true);
  await turn();
  assert.equal(isIn, true);
});

test('one that is closed begins nothing more, and lets nobody wait', async () => {
  const { courier, add, asked, bodies } = aCourier({ mostBytes: 1 });
  add('a', 'a1');
  add('a', 'a2');
  const waits = courier.room();
  const closed = courier.close();
  await waits;
  asked[0]?.answer(true);
  await closed;
  assert.deepEqual(bodies(), ['a1']);
});
