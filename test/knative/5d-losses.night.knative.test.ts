// Too long for CI: each loss alone and repeated, and the tick of the resync waited for.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { message } from '../build/objects.ts';
import { kubectl } from '../kube/kubectl.ts';
import { until } from '../kube/until.ts';
import { sleepSoon, untilAsleep } from './asleep.ts';
import { runKnudge } from './command-line.ts';
import { openLetters, unwell } from './complaints.ts';
import { messageToPod } from './latency.ts';
import { meddle, openGates, unscheduled } from './meddle.ts';
import { messageStream } from './message-stream.ts';
import { adapterOf, between, kill, removeAdapter, scale, toggleNamespace, untilReady } from './parts.ts';
import { openPlaces, places } from './places.ts';
import { finishedResync, versionsOf } from './resync.ts';
import { home, site as openSite } from './site.ts';
import { alone, untilProcessed, untilTold } from './woken.ts';

const site = openSite();
const namespace = places.scenes;
const adapter = adapterOf('cluster-objects');

/** A source that starts anew has a resync within 77.5 s of the one before, and it has to do its work. */
const afterRestart = 130;
/** The tick of eventing/sources/resync-due.yaml, and the work. */
const afterTick = 340;

interface Loss {
  readonly what: string;
  readonly happens: (time: number) => Promise<void>;
  readonly isOver: () => Promise<void>;
  /** Until all is right. */
  readonly seconds: number;
}

const killed = (what: string, label: Readonly<Record<string, string>>): Loss => ({
  what: `the ${what} is killed`,
  happens: () => kill(label),
  isOver: () => untilReady(site, label),
  seconds: afterTick,
});

/** All is right after the bound, its status too: an event of a Pod can be lost as well. Then a resync writes nothing, to the last field. */
async function nothingIsLeftToDo(made: readonly { readonly name: string }[], seconds: number): Promise<void> {
  await untilProcessed(site, namespace, { names: made.map(({ name }) => name), seconds });
  // The kubelet reports how a Pod is for some seconds.
  await sleep(10_000);
  const before = await versionsOf(site, namespace);
  await finishedResync(site);
  assert.deepEqual(await versionsOf(site, namespace), before);
}

const adapterIsBack = () => untilReady(site, adapter, { namespace: home });

const losses: readonly Loss[] = [
  { what: 'the adapter is killed', happens: () => kill(adapter, home), isOver: adapterIsBack, seconds: afterRestart },
  ...Object.entries(between).map(([what, label]) => killed(what, label)),
  {
    what: 'a namespace comes or goes',
    happens: (time) => toggleNamespace(site, `passing-${String(time)}`),
    isOver: async () => {
      // It begins seconds after the namespace is there.
      await sleep(10_000);
      await adapterIsBack();
    },
    seconds: afterRestart,
  },
  {
    what: 'the controller of Eventing is away, and the adapter with it',
    happens: async () => {
      await scale('eventing-controller', 0);
      await removeAdapter('cluster-objects');
      await sleep(5000);
      await scale('eventing-controller', 1);
    },
    isOver: adapterIsBack,
    seconds: afterRestart,
  },
];

describe('each loss three times while events flow: all is right after its bound, and a further resync changes nothing', () => {
  before(() => openPlaces(site));
  after(() => kubectl('--namespace', namespace, 'delete', 'messages', '--all', '--timeout=60s'));
  for (const [at, { what, happens, isOver, seconds }] of losses.entries())
    test(what, { timeout: 900_000 }, async (context) => {
      const stream = messageStream(site, namespace, `loss-${String(at)}`);
      for (const time of [1, 2, 3]) {
        await sleep(2000);
        await happens(time);
        await isOver();
      }
      await sleep(3000);
      const made = await stream.stop();
      const waited = await stream.pods(Date.now(), seconds, () => nothingIsLeftToDo(made, seconds));
      const late = waited.filter((one) => one.seconds > 0).length;
      context.diagnostic(`counted: ${what}: ${String(waited.length)} Messages, ${String(late)} of them right later`);
      await until('doctor finds no problem', async () => {
        const left = await unwell();
        return left.length === 0 || left;
      });
    });
});

describe('a function that cannot start, as it is delivered in earnest', () => {
  let sleepLater: () => Promise<void> = async () => {};
  before(async () => {
    await openPlaces(site);
    sleepLater = await sleepSoon(site);
  });
  after(() => sleepLater());

  test('costs each event of its kind less than a minute, and other kinds nothing', {
    timeout: 600_000,
  }, async (context) => {
    await untilAsleep(site, undefined, 140);
    const selector = { matchLabels: { 'serving.knative.dev/service': 'message-changed' } };
    const mend = await meddle(site, 'kind', { namespace: home, selector, change: async () => unscheduled });
    const names = ['kind-1', 'kind-2'];
    const began = Date.now();
    try {
      for (const name of names) await site.put(message(name, 'in the end', { namespace }));
      for (const number of ['1', '2', '3']) {
        await site.put(alone(`kind-${number}`, namespace));
        await untilTold(site, namespace, { name: `kind-${number}`, seconds: 15 });
      }
      await until('each has its dead letter', async () => (await openLetters(namespace)).length >= names.length, 140);
      const listed = (await openLetters(namespace)).map(({ last }) => Date.parse(last)).sort((a, b) => a - b);
      const each = listed.map((at, number) => (at - (listed[number - 1] ?? began)) / 1000);
      context.diagnostic(`counted: dead letters after ${each.map((seconds) => seconds.toFixed(1)).join(' and ')} s`);
      // 58.8 s by their Trigger, and what it takes to list them.
      for (const seconds of each) assert.ok(seconds <= 60, `an event was held for ${seconds.toFixed(1)} s`);
    } finally {
      await mend();
      await openGates(site, home);
    }
    await until(
      'what was left undone is done',
      async () => {
        const { code, out, said } = await runKnudge('dead-letters', 'retry', '--all', '--in-namespace', namespace);
        return code === 0 || said + out;
      },
      60,
    );
    await untilProcessed(site, namespace, { names });
    await messageToPod(site, namespace, 'kind-after');
    await kubectl('--namespace', namespace, 'delete', 'messages,dsvc', '--all', '--timeout=60s');
  });
});
