import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Lineage } from '../../packages/event-log/api/lineage.ts';
import { message } from '../build/objects.ts';
import { until } from '../kube/until.ts';
import { sleepSoon, untilAsleep } from './asleep.ts';
import { jsonOf, runKnudge } from './command-line.ts';
import { allReady, apply, goBack, kubectl, type Parts } from './installed.ts';
import { openPlaces, places } from './places.ts';
import { site as openSite } from './site.ts';
import { doctorIsContent } from './works.ts';

const site = openSite();
const parts: Parts = { resources: ['deploy/overlays/deliveries'] };
const [namespace, name] = [places.scenes, 'reported'];

let putBack: () => Promise<void> = async () => {};

before(async () => {
  await openPlaces(site);
  putBack = await sleepSoon(site);
  await apply(parts);
  await allReady();
});
after(async () => {
  await kubectl([
    '--namespace',
    namespace,
    'delete',
    'messages.myorg.dev',
    name,
    '--ignore-not-found',
    '--timeout=60s',
  ]);
  await putBack();
  await goBack(parts);
});

interface Listed {
  readonly events: readonly { readonly seq: number; readonly type: string }[];
}

type Deliveries = Lineage['deliveries'];

async function deliveriesOf(seq: number): Promise<Deliveries> {
  const [shown] = (await jsonOf(['events', 'show', String(seq)])) as readonly { readonly chain: Lineage }[];
  return shown?.chain.deliveries ?? [];
}

/** What became of each event about the Message, the oldest first. */
async function ofMessage(): Promise<readonly { readonly seq: number; readonly deliveries: Deliveries }[]> {
  const listed = await jsonOf(['events', 'list', '--kind', 'Message', '--object', `${namespace}/${name}`]);
  const [page] = listed as readonly Listed[];
  const all = [];
  for (const { seq } of page?.events.toReversed() ?? []) all.push({ seq, deliveries: await deliveriesOf(seq) });
  return all;
}

/** Whether it made the Pod and wrote the status, and what came of both is known. */
function isWhole({ made }: Deliveries[number]): boolean {
  const hasBecome = (kind: string, verb: string) =>
    made.some(({ write, events }) => write.kind === kind && write.do === verb && events.length > 0);
  return hasBecome('Pod', 'create') && hasBecome('Message', 'status');
}

/** How many of the newest events were the one for which this process was started, as it reported. */
async function startsOf(instance: string): Promise<number> {
  const [page] = (await jsonOf(['events', 'list', '--limit', '30'])) as readonly Listed[];
  let starts = 0;
  for (const { seq } of page?.events ?? []) {
    const deliveries = await deliveriesOf(seq);
    starts += deliveries.filter((one) => one.instance === instance && (one.coldMs ?? 0) > 0).length;
  }
  return starts;
}

test('through the Broker, a function that slept reports what became of a Message: cold, what it read and wrote, and of what that came', async () => {
  await untilAsleep(site, ['message-changed'], 120);
  await site.put(message(name, 'hello', { namespace }));
  // The round of the new installation may ask for the Message before the source says that it is there: then that event has it made,
  // and the one of the source leaves nothing to do. So it is looked for among all events of the Message.
  let all: readonly (Deliveries[number] & { readonly of: number })[] = [];
  await until(
    'the delivery that made the Pod is in the log, and the events of what it wrote',
    async () => {
      const shown = await ofMessage();
      all = shown.flatMap(({ seq, deliveries }) => deliveries.map((one) => ({ ...one, of: seq })));
      return all.some(isWhole) || shown;
    },
    90,
  );
  for (const { function: stem, parents } of all)
    assert.deepEqual([stem, parents], ['message-changed', [`Message ${namespace}/${name}`]]);
  const reported = all.find(isWhole);
  assert.ok(reported);
  const { status, outcome, reads, writes, inVain, coldMs, ms, parents, made, instance = '' } = reported;
  assert.deepEqual([status, outcome, parents], [204, 'done', [`Message ${namespace}/${name}`]]);
  assert.deepEqual([made.length, inVain], [writes, undefined]);
  assert.ok(reads > 0 && ms > 0, JSON.stringify({ reads, ms }));
  assert.match(instance, /^message-changed-/);
  // Another event may have woken it a moment before, such as that of a Pod of an earlier test that has ended only now.
  if (coldMs === undefined) assert.equal(await startsOf(instance), 1, 'another event says that it woke the process');
  else assert.ok(coldMs > 0, String(coldMs));

  const { out } = await runKnudge('events', 'show', String(reported.of));
  const cold = coldMs === undefined ? '' : `, cold ${String(coldMs)} ms`;
  const said = '^# What became of it:\\n# {3}message-changed: done, 204, \\d+ reads?, \\d writes?, \\S+ ms';
  assert.match(out, new RegExp(`${said}${cold}$`, 'm'));
  assert.ok(out.includes(`create Pod ${namespace}/msg-${name}`), out);
});

test('the log keeps no event that reports deliveries, and none is reported of these, so nothing goes round', async () => {
  const [page] = (await jsonOf(['events', 'list', '--type', 'dev.knudge.reconciled'])) as readonly Listed[];
  assert.deepEqual(page?.events, []);
  const { out } = await runKnudge('dead-letters', 'list', '--type', 'dev.knudge.reconciled', '--json');
  assert.deepEqual((JSON.parse(out) as { readonly deadLetters: readonly unknown[] }).deadLetters, []);
});

test('the overlay deliveries is what doctor expects', () => doctorIsContent('deliveries'));
