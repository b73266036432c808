import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBounded } from '../../store/bounded.ts';
import { createLog } from '../../store/create-log.ts';
import type { DeliveryWriting } from '../../store/delivery-row.ts';
import type { Store, Writing } from '../../store/writing.ts';
import { codeOf } from './code-of.ts';
import { delivered } from './delivery-cases.ts';
import { received } from './event.ts';

/** A log over a store that hangs until it is let go, and what is kept by it in the end. */
function arrange() {
  const kept: string[] = [];
  const hanging: (() => void)[] = [];
  const nothing = async (): Promise<never> => assert.fail('not asked for here');
  const keep = async (writings: readonly (Writing | DeliveryWriting)[]): Promise<void> => {
    await new Promise<void>((resolve) => hanging.push(resolve));
    kept.push(...writings.map(({ row }) => row.id));
  };
  const write = async (writings: readonly Writing[]): Promise<readonly boolean[]> => {
    await keep(writings);
    return writings.map(() => true);
  };
  const keepDeliveries: Store['keepDeliveries'] = async (writings) => {
    await keep(writings);
    return 0;
  };
  const store: Store = {
    write,
    read: nothing,
    keepDeliveries,
    mark: nothing,
    shrink: nothing,
    noteGap: async () => undefined,
    sign: async () => undefined,
    close: async () => undefined,
  };
  const clock = { now: Date.parse('2026-03-01T12:00:00.000Z') };
  const timers = new Set<{ readonly at: number; readonly task: () => void }>();
  const log = createBounded({
    log: createLog(store, () => clock.now),
    now: () => clock.now,
    after: (ms, task) => {
      const timer = { at: clock.now + ms, task };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    onRefused: () => undefined,
    onAway: () => undefined,
    onBack: () => undefined,
  });
  const pass = async (ms: number): Promise<void> => {
    clock.now += ms;
    for (const timer of [...timers].filter(({ at }) => at <= clock.now)) {
      timers.delete(timer);
      timer.task();
    }
    await new Promise(setImmediate);
  };
  /** Lets the store go on until it has nothing to do. */
  const letGo = async (): Promise<void> => {
    for (; hanging.length > 0; await new Promise(setImmediate)) for (const go of hanging.splice(0)) go();
  };
  const append = (id: string) => codeOf(log.append(received({ id })));
  const report = (id: string) => codeOf(log.appendDeliveries([delivered({ event: { id, source: '/s' } })]));
  return { log, kept, hanging, pass, letGo, append, report };
}

test('of 340 events that are answered 503 none is kept, but for those of one writing that had begun, and they are told so', async () => {
  const { append, pass, letGo, kept } = arrange();
  const answers = Array.from({ length: 340 }, (_, n) => append(String(n)));
  await pass(4000);
  await pass(500);
  const codes = await Promise.all(answers);
  await letGo();
  const refused = codes.flatMap((code, n) => (code === 'unavailable' ? [String(n)] : []));
  assert.deepEqual(
    kept.filter((id) => refused.includes(id)),
    [],
  );
  assert.equal(refused.length, 339, 'the first began at once, and all others waited for it');
  assert.deepEqual([codes[0], kept], ['outcome-unknown', ['0']]);
});

test('a write that has begun is answered by its outcome, also where that comes after the time for waiting', async () => {
  const { append, pass, letGo, kept } = arrange();
  const [begun, waiting] = [append('begun'), append('waiting')];
  await pass(4000);
  assert.equal(await waiting, 'unavailable');
  await letGo();
  assert.deepEqual([await begun, kept], ['', ['begun']]);
});

test('what was withdrawn is kept when it is brought again, and room is made for others', async () => {
  const { append, pass, letGo, kept } = arrange();
  const first = append('first');
  const waiting = append('again');
  await pass(4000);
  assert.equal(await waiting, 'unavailable');
  const again = append('again');
  await letGo();
  assert.deepEqual([await first, await again, kept], ['', '', ['first', 'again']]);
});

test('a dead letter does not wait behind events', async () => {
  const { append, log, letGo, kept } = arrange();
  const events = Array.from({ length: 300 }, (_, n) => append(String(n)));
  const letter = codeOf(log.appendDeadLetter(received({ id: 'letter' })));
  await letGo();
  assert.deepEqual([await letter, new Set(await Promise.all(events))], ['', new Set([''])]);
  assert.equal(kept.indexOf('letter'), 1, 'with the first event');
});

test('of reports that wait for a slow store no more than are bounded wait, and none that was answered 503 is kept', async () => {
  const { report, pass, letGo, kept, hanging } = arrange();
  const answers = Array.from({ length: 5000 }, (_, n) => report(String(n)));
  await pass(0);
  assert.equal(hanging.length, 1, 'one writing is under way, and the others wait for it');
  assert.equal(await Promise.race([answers.at(-1), 'it waits']), 'unavailable', 'too many wait already');
  await pass(4000);
  const codes = await Promise.all(answers.slice(1));
  await letGo();
  assert.deepEqual([new Set(codes), await answers[0], kept], [new Set(['unavailable']), '', ['0']]);
});

test('reports that waited are kept together, and each is answered', async () => {
  const { report, letGo, kept } = arrange();
  const answers = Array.from({ length: 9 }, (_, n) => report(String(n)));
  await letGo();
  assert.deepEqual([new Set(await Promise.all(answers)), kept.length], [new Set(['']), 9]);
});
