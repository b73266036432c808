import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { share } from '../../reconcile/share.ts';

test('1,000 callers at once for one parent cost two runs, and each answer comes from a run that began after the call', async () => {
  let clock = 0;
  const begun: number[] = [];
  const run = share(async () => {
    clock += 1;
    const began = clock;
    begun.push(began);
    await new Promise((resolve) => setImmediate(resolve));
    return began;
  });
  const called = Array.from({ length: 1000 }, async () => ({ at: clock, began: await run('web') }));
  for (const { at, began } of await Promise.all(called)) assert.ok(began > at || at === 0);
  assert.equal(begun.length, 2);
});

test('callers for different parents do not wait for each other', async () => {
  const { promise: never } = Promise.withResolvers<string>();
  const run = share((key) => (key === 'slow' ? never : Promise.resolve(key)));
  void run('slow');
  assert.equal(await run('quick'), 'quick');
});

test('a run that fails fails for those who shared it, and the next is tried all the same', async () => {
  let tries = 0;
  const run = share(async () => {
    tries += 1;
    await Promise.resolve();
    if (tries === 1) throw new Error('first');
    return tries;
  });
  const [first, second, third] = await Promise.allSettled([run('web'), run('web'), run('web')]);
  assert.equal(first?.status, 'rejected');
  assert.deepEqual(
    [second, third].map((one) => one?.status === 'fulfilled' && one.value),
    [2, 2],
  );
});

test('whenever callers come, nobody gets the result of a run that began before', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom('a', 'b'), { maxLength: 12 }),
      async (scheduler, keys) => {
        let clock = 0;
        const running = new Map<string, number>();
        const run = share(async (key) => {
          assert.equal(running.get(key) ?? 0, 0, 'two runs of one key at once');
          running.set(key, 1);
          clock += 1;
          const began = clock;
          await scheduler.schedule(Promise.resolve(), `run ${key}`);
          running.set(key, 0);
          return began;
        });
        const calls = keys.map(async (key) => {
          await scheduler.schedule(Promise.resolve(), `call ${key}`);
          const at = clock;
          assert.ok((await run(key)) > at);
        });
        await scheduler.waitFor(Promise.all(calls));
      },
    ),
  );
});
