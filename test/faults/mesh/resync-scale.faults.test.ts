import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../kube/until.ts';
import { faultShare } from '../share.ts';
import { deadlineMs, nameAt, openResyncStage, type ResyncStage } from './resync-stage.ts';

/** Of them nine in ten lie in one namespace. */
const parents = Number(process.env['PARENTS'] ?? 10_000);
const classes = ['MTChannelBasedBroker', 'Kafka'] as const;
/** What a reconcile takes; eight are done at a time, so 400 a second. */
const workMs = 20;
/** Of the function; Node's heap grows a little before it is swept. */
const mostGrownMb = 40;
/** Of an event of another namespace, 99 times in a hundred: a machine with other work is slow at times. */
const longestWaitMs = 5000;

for (const kind of faultShare.of(classes)) {
  test(`${kind}: ${parents} parents are each asked after once, in bounded memory, and nobody else waits`, async (t) => {
    const { stage, say } = await open(t, kind, parents);
    const waited: number[] = [];
    const sent = new Map<string, number>();
    let warm = 0;
    let most = 0;
    stage.react = (_, id) => {
      const at = sent.get(id);
      if (at !== undefined) waited.push(performance.now() - at);
      const mb = stage.asked.size % 200 === 0 ? stage.memory() : 0;
      if (warm === 0 && stage.asked.size >= parents / 10) warm = stage.memory();
      most = Math.max(most, mb);
      return workMs;
    };
    const isThrough = () => roundsOf(stage) === 1 && stage.asked.size > parents;
    const ended = until('all are asked after', async () => isThrough() || stage.asked.size, 240);
    const ticked = stage.tick('round');
    let isOver = false;
    const over = Promise.all([ended, ticked]).then(() => {
      isOver = true;
    });
    for (let count = 0; !isOver; count += 1) {
      sent.set(`change-${count}`, performance.now());
      await Promise.race([stage.change(`change-${count}`, 'elsewhere', 'other'), over]);
      await sleep(50);
    }
    await over;
    stage.asked.delete('elsewhere/other');
    assert.equal(stage.asked.size, parents);
    assert.deepEqual([...new Set(stage.asked.values())], [1]);
    const invocations = invocationsOf(stage);
    for (const { ms, status, outcome } of invocations) {
      assert.ok(ms < deadlineMs, `an invocation took ${ms} ms`);
      assert.ok(status === 200 || status === 204, `${status} ${outcome}`);
      assert.match(outcome, /failed=0$/);
    }
    assert.ok(invocations.length >= 2, 'it takes more than one');
    const [p50 = 0, p99 = 0] = [0.5, 0.99].map(
      (share) => waited.toSorted(ascending)[Math.floor(waited.length * share)],
    );
    const longest = Math.max(...invocations.map(({ ms }) => ms));
    say(
      `${parents} parents in ${invocations.length} invocations, the longest ${longest.toFixed(0)} ms; memory ${warm.toFixed(0)} MB, ${(most - warm).toFixed(1)} MB more at most; ${waited.length} changes elsewhere waited ${p50.toFixed(0)} ms (p50), ${p99.toFixed(0)} ms (p99)`,
    );
    assert.ok(waited.length > 20, `${waited.length} changes elsewhere`);
    assert.ok(most - warm < mostGrownMb, `${(most - warm).toFixed(1)} MB more`);
    assert.ok(p99 < longestWaitMs, `a change in another namespace waited ${p99.toFixed(0)} ms`);
  });

  test(`${kind}: a resync that is killed within a page leaves nobody out, and its round comes to its end`, async (t) => {
    const count = parents / 10;
    const { stage, say } = await open(t, kind, count);
    let died = 0;
    stage.react = () => {
      if (died === 0 && stage.asked.size > count / 4) {
        died = stage.asked.size;
        stage.fn().kill('SIGKILL');
        void stage.restart();
      }
      return workMs;
    };
    const began = Date.now();
    await Promise.all([
      until('the round is through', async () => stage.whole() >= began - 1000, 240),
      stage.tick('round'),
    ]);
    await until('all are asked after', async () => stage.asked.size >= count || stage.asked.size, 30);
    assert.ok(died > 0 && died < count);
    const twice = [...stage.asked.values()].filter((times) => times > 1).length;
    say(`killed after ${died} of ${count}: each asked after, ${twice} of them twice`);
    assert.equal(stage.asked.size, count);
  });

  test(`${kind}: of two ticks that overlap one is a round, and the other costs one read`, async (t) => {
    const count = parents / 10;
    const { stage, say } = await open(t, kind, count);
    let [now, most] = [0, 0];
    stage.react = () => {
      now += 1;
      most = Math.max(most, now);
      setTimeout(() => {
        now -= 1;
      }, workMs);
      return workMs;
    };
    const both = Promise.all([stage.tick('one'), stage.tick('other')]);
    await Promise.all([both, until('both are answered', async () => roundsOf(stage) === 2 || stage.asked.size, 240)]);
    await until('all are asked after', async () => stage.asked.size === count || stage.asked.size, 30);
    say(`${count} parents, each asked after once, at most ${most} at a time`);
    assert.ok([...stage.asked.values()].every((times) => times === 1));
    assert.equal(invocationsOf(stage).filter(({ outcome }) => outcome.startsWith('ignored; reads=1')).length, 1);
    assert.ok(most <= (kind === 'Kafka' ? 64 : 32) + 1, `${most} at a time`);
  });
}

async function open(t: TestContext, kind: (typeof classes)[number], count: number) {
  const began = performance.now();
  const big = Math.floor(count * 0.9);
  const stage = await openResyncStage(
    kind,
    new Map([
      ['big', big],
      ['small', count - big],
    ]),
  );
  t.after(stage.close);
  const say = (text: string): void => t.diagnostic(`${((performance.now() - began) / 1000).toFixed(1)} s: ${text}`);
  say(`${count} parents are there, the last is ${nameAt(count - big - 1)}`);
  return { stage, say };
}

interface Invocation {
  readonly ms: number;
  readonly status: number;
  readonly outcome: string;
}

function invocationsOf({ hops }: ResyncStage): readonly Invocation[] {
  return hops.flatMap((hop) =>
    hop.kind === 'delivered' && hop.trigger.endsWith('resync-due')
      ? [{ ms: hop.ms, status: hop.status, outcome: hop.headers['knudge-outcome'] ?? String(hop.why) }]
      : [],
  );
}

/** A round is through where an invocation answers without a continuation. */
function roundsOf(stage: ResyncStage): number {
  return invocationsOf(stage).filter(({ status }) => status === 204).length;
}

const ascending = (one: number, other: number): number => one - other;
