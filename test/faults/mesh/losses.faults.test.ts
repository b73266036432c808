import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../src/domain/kube-object.ts';
import { seeded } from '../input/random.ts';
import { createTenant } from './changes.ts';
import { type LossyWay, openLossyWay } from './lossy-way.ts';
import { withEnv, withSpec } from './project-copy.ts';
import { staysAtRest } from './rest.ts';
import { openStage } from './stage.ts';

const seed = Number(process.env['SEED'] ?? 20261121);
const shares = { lost: 0.3, doubled: 0.3, late: 0.3 };
const rounds = 6;
const changesEach = 10;
const resyncSeconds = 3;
/** What a lost event costs at most, once events get through again. */
const promisedSeconds = resyncSeconds + 10;
/** While events go on being lost, those of the resync are lost too: it takes as many as it takes. */
const patienceSeconds = 90;

test(`three events in ten are lost, as many doubled, as many late, and all comes right (SEED=${seed})`, async (context) => {
  const began = performance.now();
  const say = (text: string): void =>
    context.diagnostic(`${((performance.now() - began) / 1000).toFixed(1)} s: ${text}`);
  const way = await openLossyWay(seed);
  context.after(way.close);
  const stage = await openStage({ edit: (object) => through(way, object) });
  context.after(stage.close);
  stage.start();
  await stage.up();
  way.lead((await stage.mesh().ready).broker);
  const tenant = createTenant('faults', seeded(seed), stage.person);
  for (const object of tenant.given) await stage.person.create(object);
  await stage.converged(tenant.wanted(), 60);
  say('all is there and at rest');

  const seconds = { lifted: [] as number[], lasting: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    way.spoil(shares);
    for (let changes = 0; changes < changesEach; changes += 1) await tenant.next().do();
    const isLifted = round % 2 === 0;
    if (isLifted) way.spoil(undefined);
    const took = (await stage.converged(tenant.wanted(), isLifted ? promisedSeconds : patienceSeconds)) / 1000;
    seconds[isLifted ? 'lifted' : 'lasting'].push(took);
    say(`round ${round + 1}: right after ${took.toFixed(1)} s, the losses ${isLifted ? 'over' : 'going on'}`);
  }
  way.spoil(undefined);
  await staysAtRest(stage, tenant.wanted());
  const { taken, spoilt, lost, doubled, overtaken, refused } = way.counts;
  const repairs = repairsOf(stage.mesh().hops);
  say(
    `${taken} events, ${spoilt} of them on a bad way: ${lost} lost, ${doubled} doubled, ${overtaken} overtaken; ${repairs} repairs by the resync`,
  );
  say(
    `longest: ${Math.max(...seconds.lifted).toFixed(1)} s after the losses, ${Math.max(...seconds.lasting).toFixed(1)} s with them`,
  );
  assert.equal(refused, 0, 'the Broker did not take an event');
  assert.ok(lost / spoilt > 0.2 && lost / spoilt < 0.4, `${lost} of ${spoilt} were lost`);
  for (const [what, count] of Object.entries({ lost, doubled, overtaken, repairs }))
    assert.ok(count > 10, `${what}: ${count}`);
});

/** Sources, and functions that send, reach the Broker by this way; the resync comes every few seconds. */
function through(way: LossyWay, object: KubeObject): KubeObject {
  const sink = { sink: { uri: way.url } };
  const schedule = `*/${resyncSeconds} * * * * *`;
  const source = withSpec(withSpec(object, 'ApiServerSource', sink), 'PingSource', { ...sink, schedule });
  return object.metadata.name === 'resync-due' ? withEnv(source, { K_SINK: way.url }) : source;
}

/** Events of the resync that found something to write. */
function repairsOf(hops: readonly Readonly<Record<string, unknown>>[]): number {
  return hops.filter(({ kind, event, headers }) => {
    const { type } = (event ?? {}) as { type?: string };
    const { 'knudge-outcome': outcome = '' } = (headers ?? {}) as Record<string, string>;
    return kind === 'delivered' && type === 'dev.knudge.resync.requested' && /writes=[1-9]/.test(outcome);
  }).length;
}
