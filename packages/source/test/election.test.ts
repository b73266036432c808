import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnudgeError } from '../../controller/domain/errors.ts';
import { startElection } from '../election.ts';
import type { Lease, LeaseState } from '../lease.ts';

/** A Lease that several hold by turns, and that may be out of reach of one of them. */
function aLease() {
  let kept: LeaseState | undefined;
  let version = 0;
  const put = (holder: string): LeaseState => {
    version += 1;
    kept = { version: String(version), holder };
    return kept;
  };
  const unreachable = new Set<string>();
  const of = (who: string): Lease => {
    const reach = (): void => {
      if (unreachable.has(who)) throw new KnudgeError('unavailable', 'the API server does not answer');
    };
    return {
      read: async () => {
        reach();
        return kept;
      },
      make: async (holder) => {
        reach();
        if (kept !== undefined) throw new KnudgeError('conflict', 'somebody was faster');
        return put(holder);
      },
      write: async (state, holder) => {
        reach();
        if (kept?.version !== state.version) throw new KnudgeError('conflict', 'it is another one');
        return put(holder);
      },
    };
  };
  const remove = (): void => {
    kept = undefined;
  };
  return { of, unreachable, holder: () => kept?.holder, put, remove };
}

/** Time that passes when the test says so; each process has a clock that shows something else. */
function aTime() {
  let ms = 0;
  const timers = new Set<{ at: number; call: () => void }>();
  const after = (wait: number, call: () => void) => {
    const timer = { at: ms + wait, call };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return {
    after,
    clock: (shows: number) => () => ms + shows,
    pass: async (wait: number): Promise<void> => {
      for (const end = ms + wait; ms < end; ms += 100) {
        await settle();
        for (const timer of [...timers].filter(({ at }) => at <= ms)) {
          timers.delete(timer);
          timer.call();
        }
      }
      await settle();
    },
  };
}

function aPlace() {
  const [lease, time, said] = [aLease(), aTime(), [] as string[]];
  const stand = (identity: string, shows = 0) =>
    startElection({
      lease: lease.of(identity),
      identity,
      now: time.clock(shows),
      after: time.after,
      elected: () => said.push(`${identity} begins`),
      lost: (why) => said.push(`${identity} has lost it: ${why}`),
      failed: () => undefined,
    });
  return { lease, time, said, stand };
}

test('the first one makes the Lease and begins, and another one stands by for as long as it renews', async () => {
  const { time, said, stand, lease } = aPlace();
  stand('a');
  await time.pass(100);
  stand('b');
  await time.pass(60_000);
  assert.deepEqual(said, ['a begins']);
  assert.equal(lease.holder(), 'a');
});

test('one that ends gives the Lease back, and the other begins within a second', async () => {
  const { time, said, stand } = aPlace();
  const first = stand('a');
  await time.pass(100);
  stand('b');
  await time.pass(5000);
  await first.close();
  await time.pass(1100);
  assert.deepEqual(said, ['a begins', 'b begins']);
});

for (const shows of [0, 3_600_000, -3_600_000]) {
  test(`one that dies is followed within 4.2 s and not before 2 s, by a clock that is ${String(shows)} ms ahead`, async () => {
    const { time, said, stand, lease } = aPlace();
    stand('a');
    await time.pass(100);
    stand('b', shows);
    await time.pass(5000);
    // It is not heard of any more, by anybody: as one that was killed.
    lease.unreachable.add('a');
    await time.pass(1900);
    assert.deepEqual(said, ['a begins']);
    await time.pass(2300);
    assert.ok(said.includes('b begins'), said.join());
  });
}

test('one that cannot renew gives up before another one may begin', async () => {
  const { time, said, stand, lease } = aPlace();
  stand('a');
  await time.pass(100);
  stand('b');
  await time.pass(5000);
  lease.unreachable.add('a');
  await time.pass(10_000);
  assert.deepEqual(said.map((one) => one.split(':')[0]).sort(), ['a begins', 'a has lost it', 'b begins']);
  assert.match(said.join(), /a has lost it: the Lease could not be renewed for \d+ ms/);
});

test('one renewal that fails is made up for by the next', async () => {
  const { time, said, stand, lease } = aPlace();
  stand('a');
  await time.pass(5000);
  lease.unreachable.add('a');
  await time.pass(1500);
  lease.unreachable.clear();
  await time.pass(10_000);
  assert.deepEqual(said, ['a begins']);
});

test('one whose Lease another has taken sees that with its next renewal', async () => {
  const { time, said, stand, lease } = aPlace();
  stand('a');
  await time.pass(5000);
  lease.put('b');
  await time.pass(1200);
  assert.deepEqual(said, ['a begins', 'a has lost it: b holds the Lease']);
});

test('of two at once one begins', async () => {
  const { time, said, stand } = aPlace();
  stand('a');
  stand('b');
  await time.pass(20_000);
  assert.equal(said.length, 1, said.join());
});

test('a Lease that is deleted is made again', async () => {
  const { time, said, stand, lease } = aPlace();
  stand('a');
  await time.pass(5000);
  lease.remove();
  await time.pass(5000);
  assert.deepEqual(said, ['a begins']);
  assert.equal(lease.holder(), 'a');
});

test('one that stands by and ends takes nothing with it', async () => {
  const { time, said, stand, lease } = aPlace();
  stand('a');
  await time.pass(100);
  const other = stand('b');
  await time.pass(3000);
  await other.close();
  await time.pass(3000);
  assert.deepEqual(said, ['a begins']);
  assert.equal(lease.holder(), 'a');
});
