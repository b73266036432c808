import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Delivered, DeliveryFilter, Written } from '../../../controller/domain/delivery.ts';
import type { EventSearch, PageRequest } from '../../../controller/domain/event-log.ts';
import type { CasesWith } from './cases.ts';
import { codeOf } from './code-of.ts';
import { received } from './event.ts';
import { owned } from './owned.ts';

const all: PageRequest = { order: 'oldest-first', limit: 5000 };
const start = Date.parse('2026-03-01T12:00:00.000Z');

const written: Written = {
  ...{ do: 'create', kind: 'Pod', namespace: 'shop', name: 'msg-hello', uid: 'u-pod', resourceVersion: '12' },
};

/** What became of the event `e-1` of `/s`, with what a test wants to be different. */
export function delivered(parts: Partial<Delivered> = {}): Delivered {
  return {
    ...{ event: { id: 'e-1', source: '/s' }, function: 'message-changed', at: '2026-03-01T12:00:00.000Z', ms: 4.5 },
    ...{ status: 204, outcome: 'done', reads: 2, writes: 1, parents: ['Message shop/hello'], written: [written] },
    ...parts,
  };
}

/** Of an object without a namespace. */
function node(resourceVersion: string, size: number) {
  const data = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'u-n', resourceVersion }, spec: { size } };
  const { extensions, ...event } = received({
    id: `n-${resourceVersion}`,
    extensions: { kind: 'Node', name: 'n' },
    data,
  });
  return { ...event, extensions: new Map([...extensions].filter(([name]) => name !== 'namespace')) };
}

function message(resourceVersion: string, text: string, phase?: string) {
  const metadata = { name: 'hello', namespace: 'shop', uid: 'u-message', resourceVersion };
  const status = phase === undefined ? {} : { status: { phase } };
  const data = { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata, spec: { text }, ...status };
  const extensions = { kind: 'Message', namespace: 'shop', name: 'hello' };
  return received({ id: `m-${resourceVersion}`, type: 'dev.update', extensions, data });
}

/** What each store must do with deliveries, and how it finds events by their objects. */
export function deliveryCases(name: string, { open }: CasesWith): void {
  suite(`deliveries in ${name}`, () => {
    test('come back as they were reported, with the place of their event', async () => {
      const log = await open(() => start);
      const whole = delivered({
        attempt: 2,
        coldMs: 240,
        inVain: 2,
        unlisted: 3,
        traceId: 'ab'.repeat(16),
        instance: 'pod-1',
      });
      await log.appendDeliveries([whole, delivered({ event: { id: 'gone', source: '/s' } })]);
      await log.append(received());
      const [first, other] = await log.deliveries({}, all);
      assert.deepEqual(first, { ...whole, seq: 1, event: { ...whole.event, seq: 1 } });
      assert.deepEqual(other?.event, { id: 'gone', source: '/s' }, 'its event is not in the log');
      await log.close();
    });

    test('are kept once, however often they are reported', async () => {
      const log = await open(() => start);
      await log.appendDeliveries([delivered(), delivered()]);
      await log.appendDeliveries([delivered(), delivered({ at: '2026-03-01T12:00:09.000Z' })]);
      assert.equal((await log.deliveries({}, all)).length, 2);
      await log.close();
    });

    test('are counted by function and outcome, each try once, with their starts', async () => {
      const log = await open(() => start);
      const again = { at: '2026-03-01T12:00:09.000Z', attempt: 2, ms: 10 };
      await log.appendDeliveries([delivered({ coldMs: 240 }), delivered(again), delivered(again)]);
      await log.appendDeliveries([delivered(), delivered({ event: { id: 'e-2', source: '/s' }, outcome: 'conflict' })]);
      await log.appendDeadLetter(received());
      const { deliveries, deadLetters } = await log.figures();
      const ofMessages = { function: 'message-changed', cold: 0, coldMs: 0 };
      assert.deepEqual(deliveries, [
        { ...ofMessages, outcome: 'conflict', deliveries: 1, ms: 4.5 },
        { ...ofMessages, outcome: 'done', deliveries: 2, ms: 14.5, cold: 1, coldMs: 240 },
      ]);
      assert.deepEqual(Object.fromEntries(deadLetters), { open: 1, 'sent-again': 0, discarded: 0 });
      await log.close();
    });

    test('are counted under a bounded number of names, whatever reports say: the rest is `other`', async () => {
      const log = await open(() => start);
      const named = (n: number) => delivered({ event: { id: `e-${n}`, source: '/s' }, function: `f-${n}` });
      await log.appendDeliveries(Array.from({ length: 100 }, (_, n) => named(n)));
      const of = (n: number) =>
        delivered({ event: { id: `o-${n}`, source: '/s' }, function: 'f-0', outcome: `o-${n}` });
      await log.appendDeliveries(Array.from({ length: 100 }, (_, n) => of(n)));
      await log.appendDeliveries([delivered({ function: 'f-0' }), delivered({ function: 'f-99', ms: 100 })]);
      const { deliveries } = await log.figures();
      const ofFunction = Map.groupBy(deliveries, (one) => one.function);
      assert.deepEqual([ofFunction.size, ofFunction.get('f-0')?.length], [65, 49]);
      const sums = new Map(deliveries.map((one) => [`${one.function} ${one.outcome}`, one.deliveries]));
      assert.deepEqual([sums.get('f-0 done'), sums.get('f-0 other'), sums.get('other done')], [2, 53, 37]);
      assert.equal(
        deliveries.reduce((sum, one) => sum + one.deliveries, 0),
        202,
      );
      await log.close();
    });

    const filters: readonly [sentence: string, filter: DeliveryFilter, wanted: readonly string[]][] = [
      ['an event', { event: 1 }, ['a']],
      ['a function', { function: 'pod-changed' }, ['b']],
      ['an outcome', { outcome: 'conflict' }, ['b']],
      ['an object that was written, in one version', { uid: 'u-pod', version: '12' }, ['a']],
      ['an object that was written', { uid: 'u-pod' }, ['a', 'b', 'c']],
      ['an object that was deleted', { uid: 'u-pod', do: 'delete' }, ['b']],
      ['an object that a write without a version ended', { uid: 'u-pod', version: '' }, ['c']],
      ['since and until', { since: '2026-03-01T12:01:00Z', until: '2026-03-01T12:02:00Z' }, ['b']],
      ['places', { after: 1, before: 3 }, ['b']],
    ];
    test('are found by what a filter says', async (context) => {
      const log = await open(() => start);
      await log.append(received());
      const gone: Written = { ...written, do: 'delete', resourceVersion: '13' };
      const end: Written = { ...written, do: 'finalizers', resourceVersion: '' };
      const other = { event: { id: 'e-2', source: '/s' }, at: '2026-03-01T12:01:00.000Z', outcome: 'conflict' };
      const third = { event: { id: 'e-3', source: '/s' }, at: '2026-03-01T12:02:00.000Z', written: [end] };
      await log.appendDeliveries([
        delivered({ instance: 'a' }),
        delivered({ ...other, instance: 'b', function: 'pod-changed', written: [gone] }),
        delivered({ ...third, instance: 'c' }),
      ]);
      for (const [sentence, filter, wanted] of filters) {
        const found = (await log.deliveries(filter, all)).map(({ instance }) => instance);
        await context.test(sentence, () => assert.deepEqual(found, wanted));
      }
      assert.equal(await codeOf(log.deliveries({ since: 'noon' }, all)), 'invalid-request');
      await log.close();
    });

    test('go with their writes when they are old, or more than an eighth', async () => {
      const clock = { now: start };
      const log = await open(() => clock.now);
      await log.appendDeliveries([delivered({ instance: 'old' })]);
      clock.now += 31 * 24 * 60 * 60_000;
      const many = Array.from({ length: 400 }, (_, n) => delivered({ event: { id: `e-${n}`, source: '/s' } }));
      await log.appendDeliveries(many);
      await log.retain({ days: 30, bytes: 1_000_000_000 });
      assert.equal((await log.deliveries({ uid: 'u-pod' }, all)).length, 400);
      for (let n = 0; n < 400; n += 1) await log.append(received({ id: `e-${n}`, data: 'x'.repeat(900) }));
      await log.retain({ days: 30, bytes: 1_000_000 });
      const left = (await log.deliveries({ uid: 'u-pod' }, all)).map(({ event }) => event.id);
      assert.ok(left.length > 50 && left.length < 250, `${left.length} are left`);
      assert.equal(left.at(-1), 'e-399', 'the oldest go first');
      const [total] = (await log.figures()).deliveries;
      assert.equal(total?.deliveries, 401, 'what has gone counts for ever');
      await log.close();
    });
  });

  suite(`events by their objects in ${name}`, () => {
    const searches: readonly [sentence: string, search: EventSearch, wanted: readonly string[]][] = [
      ['a version', { uid: 'u-message', version: '2' }, ['m-2']],
      ['all versions', { uid: 'u-message' }, ['m-1', 'm-2', 'm-3', 'm-4']],
      ['what controls it', { owner: 'u-message' }, ['p-1']],
      ['its first owner, where none controls it', { owner: 'u-first' }, ['p-3']],
      ['those that changed the spec', { changed: 'spec' }, ['m-1', 'm-4', 'n-1', 'n-3']],
      ['those that changed the status', { changed: 'status' }, ['m-2']],
      ['a text in the name, whatever its case', { q: 'HELLO' }, ['m-1', 'm-2', 'm-3', 'm-4']],
      ['a text over kind, namespace and name', { q: 'message shop/hel' }, ['m-1', 'm-2', 'm-3', 'm-4']],
      ['a text in the id', { q: 'm-3' }, ['m-3']],
      ['a text with signs that mean something elsewhere', { q: '%' }, []],
      ['several at once', { q: 'hello', changed: 'spec', after: 2 }, ['m-4']],
      [
        'those that changed the spec of an object without a namespace',
        { changed: 'spec', kind: 'Node' },
        ['n-1', 'n-3'],
      ],
    ];
    test('are found by what a search says', async (context) => {
      const log = await open(() => start);
      for (const event of [message('1', 'a'), message('2', 'a', 'Pending'), message('3', 'a', 'Pending')]) {
        await log.append(event);
      }
      await log.append(message('4', 'b', 'Pending'));
      for (const event of [received(), ...owned, node('1', 1), node('2', 1), node('3', 2)]) await log.append(event);
      for (const [sentence, search, wanted] of searches) {
        await context.test(sentence, async () => {
          assert.deepEqual(
            (await log.events(search, all)).map(({ id }) => id),
            wanted,
          );
          assert.equal(await log.count(search, 'events'), wanted.length);
        });
      }
      await log.close();
    });
  });
}
