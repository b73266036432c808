import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { whyNoPods } from './pod/why-not.ts';
import { binomialRange, countsOf, powerAgainst, repeats } from './statistics.ts';
import type { BackendServer } from './world/backends.ts';
import { startBackend } from './world/backends.ts';
import { type Answered, askOnce, type Target } from './world/clients.ts';
import { hostOf, manual, service } from './world/objects.ts';
import { opened } from './world/opened.ts';
import { singly, stuckSingly } from './world/singly.ts';
import { type DataPlane, startWorld } from './world/world.ts';

/** The algorithms that the CRD allows; each has a service of its own, at a port of its own. */
const algorithmsOf = {
  http: ['round-robin', 'random', 'least-conn'],
  tcp: ['round-robin', 'random', 'least-conn'],
  udp: ['round-robin', 'random'],
} as const;
type Algorithm = (typeof algorithmsOf)['http'][number];

const names = ['a', 'b', 'c'];
const tries = 600;
const clients = 16;
/** How often a test here fails although nothing is wrong: the sum of what its parts allow themselves. */
const falseAlarm = 1e-6;
/** Of each backend's count and of the repeats, a quarter each. */
const part = falseAlarm / 4;
const fairCount = binomialRange({ tries, probability: 1 / 3 }, part);
const fairRepeats = binomialRange({ tries: tries - 1, probability: 1 / 3 }, part);

/** How many clients may wait for a backend that never answers: of http a third of those at once, of tcp, who come singly, one. */
const mostStuck = { http: Math.ceil(clients / 3), tcp: 1 } as const;

describe('how sure the tests are', () => {
  it('finds a backend that gets a fifth, or 48 %, in place of a third, with 98 %', () => {
    for (const probability of [0.2, 0.48]) assert.ok(powerAgainst(fairCount, { tries, probability }) > 0.98);
  });
  it('finds taking turns, which never repeats, always', () => assert.ok(fairRepeats.least > 0));
  it('finds the better of two at random, which takes a backend that never answers in one of nine', () => {
    for (const [most, times] of [
      [mostStuck.http, tries],
      [mostStuck.tcp, singly],
    ] as const) {
      const missed = 1 - powerAgainst({ least: 0, most }, { tries: times, probability: 1 / 9 });
      assert.ok(missed < 1e-8, String(missed));
    }
  });
});

const skip = whyNoPods() ?? false;

for (const type of ['http', 'tcp', 'udp'] as const) {
  describe(`three backends behind frps, frpc and Envoy: ${type}`, { skip }, () => {
    const closers: (() => unknown)[] = [];
    const context = { after: (close: () => unknown) => void closers.push(close) };
    let world: DataPlane;
    const backends: BackendServer[] = [];
    const slow = (): BackendServer => backends[0] ?? assert.fail();

    before(async () => {
      world = await startWorld(context);
      for (const [index, name] of names.entries()) {
        backends.push(await startBackend(context, type, { name, address: world.network.backend(index) }));
      }
      for (const [index, algorithm] of algorithmsOf[type].entries()) {
        const expose = type === 'http' ? {} : { expose: { remotePort: 7100 + index } };
        world.put(service({ name: algorithm, type, algorithm, backends: manual(backends), ...expose }));
      }
      for (const algorithm of algorithmsOf[type]) await answers(algorithm);
    });
    after(async () => {
      for (const close of closers.reverse()) await close();
    });

    const target = (algorithm: Algorithm): Target => ({
      host: world.network.host,
      port: type === 'http' ? 80 : 7100 + algorithmsOf[type].indexOf(algorithm as never),
      name: hostOf(algorithm),
    });
    const ask = (algorithm: Algorithm): Promise<Answered> => askOnce[type](target(algorithm));
    const answers = async (algorithm: Algorithm): Promise<void> => {
      await world.untilRunning(algorithm);
      await world.until(`${algorithm} answers`, async () => 'by' in (await ask(algorithm)));
    };

    /** This many clients one after the other, each until all tries are used up. */
    async function askAll(algorithm: Algorithm, atOnce: number): Promise<readonly string[]> {
      const all: string[] = [];
      let left = tries;
      const work = async (): Promise<void> => {
        for (; left > 0; ) {
          left -= 1;
          const answered = await ask(algorithm);
          if ('by' in answered) all.push(answered.by);
          // A datagram may be lost, anywhere on its way, for reasons that are no backend's.
          else if (type !== 'udp') assert.fail(`${algorithm}: ${answered.failed}`);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      assert.ok(all.length >= tries * 0.98, `${String(tries - all.length)} of ${String(tries)} lost`);
      return all;
    }

    /** Each backend's share is a third: exact, but for what was lost. */
    function assertEqual(all: readonly string[]): void {
      for (const count of countsOf(names, all)) {
        assert.ok(Math.abs(count - tries / 3) <= tries - all.length, countsOf(names, all).join('/'));
      }
    }

    function assertRandom(all: readonly string[]): void {
      for (const count of countsOf(names, all)) {
        const lost = tries - all.length;
        assert.ok(count >= fairCount.least - lost && count <= fairCount.most, countsOf(names, all).join('/'));
      }
    }

    it('round-robin takes turns, one after the other', async (test) => {
      const all = await askAll('round-robin', 1);
      test.diagnostic(`${countsOf(names, all).join('/')}, ${String(repeats(all))} repeats`);
      assertEqual(all);
      assert.ok(repeats(all) <= tries - all.length);
    });

    it('round-robin gives a slow backend as much as the others', async (test) => {
      slow().answers(50);
      const all = await askAll('round-robin', clients);
      slow().answers(0);
      test.diagnostic(countsOf(names, all).join('/'));
      assertEqual(all);
    });

    it('random draws each time anew', async (test) => {
      const all = await askAll('random', 1);
      test.diagnostic(`${countsOf(names, all).join('/')}, ${String(repeats(all))} repeats`);
      assertRandom(all);
      const same = repeats(all);
      assert.ok(same >= fairRepeats.least - (tries - all.length) && same <= fairRepeats.most, String(same));
    });

    it('random gives a slow backend as much as the others', async (test) => {
      slow().answers(50);
      const all = await askAll('random', clients);
      slow().answers(0);
      test.diagnostic(countsOf(names, all).join('/'));
      assertRandom(all);
    });

    if (type === 'udp') return;

    it('least-conn gives each new one to a backend that has the fewest', async (test) => {
      const all: string[] = [];
      const open = opened[type](backends, target('least-conn'));
      try {
        for (let count = 1; count <= 30; count += 1) {
          all.push(await open.oneMore());
          const held = countsOf(names, all);
          assert.ok(Math.max(...held) - Math.min(...held) <= 1, `${String(count)} open: ${held.join('/')}`);
        }
      } finally {
        await open.close();
      }
      test.diagnostic(countsOf(names, all).join('/'));
      assert.deepEqual(countsOf(names, all), [10, 10, 10]);
    });

    /** How many wait for the slow backend when the others have answered all else, of clients at once. */
    async function stuckAtOnce(): Promise<number> {
      const seen = (): number => backends.reduce((sum, backend) => sum + backend.seen(), 0);
      const before = { slow: slow().seen(), all: seen() };
      // A client that waits for it comes back when the others have done the rest.
      const rest = askAll('least-conn', clients);
      await world.until('the others do the rest', () => seen() - before.all === tries, 9);
      const stuck = slow().seen() - before.slow;
      slow().release();
      await rest;
      return stuck;
    }

    it('least-conn does not let a backend that never answers stop the others', async (test) => {
      slow().answers('held');
      const stuck = await (type === 'http' ? stuckAtOnce() : stuckSingly(world, backends, () => ask('least-conn')));
      test.diagnostic(`${String(stuck)} waited for it`);
      assert.ok(stuck >= 1 && stuck <= mostStuck[type], `${String(stuck)} wait for it`);
    });
  });
}
