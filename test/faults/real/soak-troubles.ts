import { setTimeout as sleep } from 'node:timers/promises';
import type { DyingSource } from './dying-source.ts';
import type { PlainApi } from './plain-api.ts';
import type { SoakProxy } from './soak-proxy.ts';

/** What happens to the source and the Broker for this many milliseconds. */
type Trouble = (ms: number, on: On) => Promise<void>;

interface On {
  readonly source: DyingSource;
  readonly proxy: SoakProxy;
  readonly api: PlainApi;
}

/** The watch cache of the API server keeps at least what is younger than 75 s, or 100 changes of a kind. */
const longMinutes = 3;
const [seldomMs, oftenMs] = [12_000, 1000];
const [awayMs, refusesMs, apiAwayMs] = [10_000, 5000, 15_000];
/** Two at once, and for some of it no Broker, so that one of them is ahead of the other. */
const two = { ms: 15_000, awayAfterMs: 3000, awayMs: 5000 } as const;

/** From round to round another one; the source that stands at its beginning need not stand at its end. */
export const troubles: readonly { readonly say: string; readonly make: Trouble }[] = [
  { say: 'the source is killed every 12 s', make: (ms, { source }) => killed(source, ms, seldomMs) },
  {
    say: 'the source is killed each second, then every 12 s',
    make: async (ms, { source }) => {
      await killed(source, ms / 2, oftenMs);
      await killed(source, ms / 2, seldomMs);
    },
  },
  {
    say: 'the Broker answers 503 for 10 s, then nobody listens there for 5 s',
    make: (ms, { source, proxy }) =>
      both(
        killed(source, ms, seldomMs),
        later(ms, async () => {
          await proxy.beAway(awayMs);
          await proxy.refuse(refusesMs);
        }),
      ),
  },
  {
    say: 'nobody listens at the API server for 5 s and for 15 s',
    make: (ms, { source, api }) =>
      both(
        killed(source, ms, seldomMs),
        later(ms, async () => {
          await api.refuse(refusesMs);
          await sleep(refusesMs);
          await api.refuse(apiAwayMs);
        }),
      ),
  },
  {
    say: 'two sources run on one file for 15 s, in 5 of which the Broker answers 503',
    make: async (ms, { source, proxy }) => {
      const away = sleep(two.awayAfterMs).then(() => proxy.beAway(two.awayMs));
      await both(source.runTwo(two.ms), away);
      await killed(source, Math.max(0, ms - two.ms), seldomMs);
    },
  },
];

/** In a soak that has the time for it. The edits go on meanwhile, and the API server forgets: 410. */
export const longTroubles: typeof troubles = [
  { say: 'the source is dead for 3 minutes', make: (_, { source }) => source.beDead(longMinutes * 60_000) },
  brokerAway(longMinutes),
];

/** Nothing is taken for this long, however long a round is. */
export function brokerAway(minutes: number): (typeof troubles)[number] {
  return {
    say: `the Broker answers 503 for ${String(minutes)} minutes`,
    make: async (_, { source, proxy }) => {
      const dying = source.dieEach(seldomMs);
      await proxy.beAway(minutes * 60_000);
      await dying.stop();
    },
  };
}

async function killed(source: DyingSource, ms: number, each: number): Promise<void> {
  const { stop } = source.dieEach(each);
  await sleep(ms);
  await stop();
}

/** After a quarter of the time, so that something is under way. */
async function later(ms: number, work: () => Promise<void>): Promise<void> {
  await sleep(ms / 4);
  await work();
}

async function both(one: Promise<void>, other: Promise<void>): Promise<void> {
  await Promise.all([one, other]);
}
