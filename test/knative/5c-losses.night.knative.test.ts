import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../bench/statistics.ts';
import { kubectl } from '../kube/kubectl.ts';
import { until } from '../kube/until.ts';
import { runKnudge } from './command-line.ts';
import { findings, gaps, metricOf, openLetters, unwell } from './complaints.ts';
import { messagesToPods } from './latency.ts';
import { meddle, openGates, unscheduled } from './meddle.ts';
import { messageStream } from './message-stream.ts';
import {
  adapterOf,
  adapterReadySince,
  between,
  kill,
  removeAdapter,
  scale,
  toggleNamespace,
  untilReady,
} from './parts.ts';
import { openPlaces, places } from './places.ts';
import { ofFunction, podsWith } from './processes.ts';
import { foundByResync } from './resync.ts';
import { home, site as openSite } from './site.ts';

const site = openSite();
const namespace = places.scenes;
/** It stays, as those of `places` do: the next run deletes it, which is a loss of the same sort. */
const passing = 'passing';
const log = ofFunction('event-log');
/** After an adapter is ready: 6 s until it watches, 4 s for the other source, a cold start of two functions, and their work. */
const boundSeconds = 40;

before(async () => {
  await openPlaces(site);
  assert.deepEqual(await unwell(), [], 'it begins with what is well');
});
after(() => kubectl('--namespace', namespace, 'delete', 'messages', '--all', '--timeout=60s'));

async function addressesOf(stem: string): Promise<readonly string[]> {
  const pods = (await podsWith(site, home, ofFunction(stem))).filter(({ status }) => status?.phase === 'Running');
  assert.ok(pods.length > 0, `${stem} is not awake`);
  return pods.flatMap(({ status }) => status?.podIP ?? []);
}

/** Each lost one is right by now, and is one that the resync says it has repaired; so does the figure of KnudgeEventsAreLost. */
async function assertTold(waited: readonly { readonly name: string; readonly seconds: number }[]): Promise<number> {
  // An event takes 71 ms when all is well, or a cold start.
  const late = waited.filter(({ seconds }) => seconds > 6).map(({ name }) => name);
  const told = await foundByResync(site, namespace);
  const repaired = waited.filter(({ name }) => told.has(name));
  const counts = (await addressesOf('message-changed')).map((address) =>
    metricOf(address, 'knudge_resync_repairs_total', '{kind="Message"}'),
  );
  const repairs = (await Promise.all(counts)).reduce<number>((sum, count) => sum + (count ?? 0), 0);
  // An instance that has gone meanwhile has taken its count along.
  assert.ok(repaired.length === 0 || repairs > 0, `no repair is counted, ${String(repaired.length)} are told`);
  assert.ok(late.length === 0 || repaired.length > 0, `nobody tells that ${late.join(', ')} were lost`);
  return repaired.length;
}

let logIsGone = Date.now();
let comesBack: () => Promise<void> = async () => {};

test('the Pod of the event log is away: nobody waits for it', async (context) => {
  await messagesToPods(site, namespace, { prefix: 'warm', count: 2 });
  const usual = median(await messagesToPods(site, namespace, { prefix: 'usual', count: 9 }));
  const mend = await meddle(site, 'log', {
    namespace: home,
    selector: { matchLabels: log },
    change: async () => unscheduled,
  });
  comesBack = async () => {
    await mend();
    await openGates(site, home);
    await untilReady(site, log, { namespace: home });
  };
  await kill(log, home);
  logIsGone = Date.now();
  const without = median(await messagesToPods(site, namespace, { prefix: 'without', count: 15 }));
  context.diagnostic(`counted: Message to Pod p50 ${usual.toFixed(0)} ms, without a log ${without.toFixed(0)} ms`);
  // On a machine with other work all takes longer: only there is it three times as long as usual.
  const most = usual > 100 ? Math.max(300, 3 * usual) : 300;
  assert.ok(without <= most, `p50 ${without.toFixed(0)} ms, with the log ${usual.toFixed(0)} ms`);
  const said = (await findings()).filter((line) => !line.startsWith('ok'));
  assert.ok(
    said.some((line) => /event.log|dead letter/.test(line)),
    `nobody tells that the log is away:\n${said.join('\n')}`,
  );
});

test('a namespace comes while events flow, and no log: what was lost is right soon after the sources watch again', async (context) => {
  const stream = messageStream(site, namespace);
  const source = adapterOf('cluster-objects');
  const others = (await podsWith(site, home, source)).map(({ metadata }) => metadata.name);
  await toggleNamespace(site, passing);
  await untilReady(site, source, { namespace: home, others });
  // The old adapter goes about a second after the new one is ready.
  await sleep(5000);
  await stream.stop();
  const waited = await stream.pods(await adapterReadySince(site, 'cluster-objects'), boundSeconds);
  const repaired = await assertTold(waited);
  context.diagnostic(
    `counted: a namespace came: ${String(waited.length)} Messages, ${String(repaired)} found by the resync`,
  );
  assert.equal((await runKnudge('resync')).code, 0);
  await until('resync-due tells what KnudgeResyncIsLate rests on', async () => {
    const all = (await addressesOf('resync-due')).map((address) => metricOf(address, 'knudge_seconds_since_resync'));
    const since = await Promise.all(all);
    return since.some((seconds) => seconds !== undefined && seconds < 60) || since;
  });
});

test('the log comes back after a minute: it lists the gap, and takes what comes', async () => {
  // The Broker tries an event for a minute; a shorter absence is not a gap. The last sign of life may be ten seconds older.
  await sleep(Math.max(0, logIsGone + 62_000 - Date.now()));
  await comesBack();
  await until('the gap is listed', async () => {
    const all = await gaps();
    return (
      all.some(({ from, to }) => Date.parse(from) <= logIsGone && Date.parse(to) >= logIsGone + 60_000) ||
      all.slice(0, 3)
    );
  });
  assert.deepEqual(await openLetters(namespace), []);
});

test('the controller of Eventing is away, and adapter, ingress, filter and dispatcher are killed: doctor tells, and all is right soon after', async (context) => {
  const stream = messageStream(site, namespace, 'gone');
  await scale('eventing-controller', 0);
  await removeAdapter('cluster-objects');
  await Promise.all(Object.values(between).map((label) => kill(label)));
  try {
    const problems = await unwell();
    for (const what of [/ApiServerSource knudge\/cluster-objects has no Pod/, /knative-eventing\/eventing-controller/])
      assert.ok(
        problems.some((line) => what.test(line)),
        `doctor does not tell ${String(what)}:\n${problems.join('\n')}`,
      );
  } finally {
    await scale('eventing-controller', 1);
    await Promise.all(Object.values(between).map((label) => untilReady(site, label)));
    await untilReady(site, adapterOf('cluster-objects'), { namespace: home });
  }
  await sleep(3000);
  await stream.stop();
  // A resync of this sort comes a minute after the one before.
  const waited = await stream.pods(await adapterReadySince(site, 'cluster-objects'), boundSeconds + 40);
  const repaired = await assertTold(waited);
  context.diagnostic(
    `counted: all of them gone: ${String(waited.length)} Messages, ${String(repaired)} found by the resync`,
  );
  await until('doctor finds no problem', async () => {
    const left = await unwell();
    return left.length === 0 || left;
  });
});
