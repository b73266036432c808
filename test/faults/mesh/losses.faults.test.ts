import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { seeded } from '../input/random.ts';
import { createTenant } from './changes.ts';
import { type LossyWay, openLossyWay } from './lossy-way.ts';
import { withEnv, withSpec } from './project-copy.ts';
import { staysAtRest } from './rest.ts';
import { openStage } from './stage.ts';

const seed = Number(process.env['SEED'] ?? 20261121);
const shares = { lost: 0.3, doubled: 0.3, late: 0.3 };
/** At least; more where something has not happened often enough yet. */
const rounds = Number(process.env['ROUNDS'] ?? 6);
const mostRounds = rounds + 12;
const changesEach = 10;
const resyncSeconds = 3;
/**
 * What is lost costs the time to the next resync, once events get through again; while they go on being lost, those of the
 * resync are lost too. How long it took is said, and is nobody's promise on a machine with other work.
 */
const patienceSeconds = { lifted: 120, lasting: 120 };
/** Of each at least this many. */
const enough = 10;

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
  const tenant = createTenant('faults', { random: seeded(seed), person: stage.person });
  for (const object of tenant.given) await stage.person.create(object);
  await stage.converged(tenant.wanted(), 120);
  say('all is there and at rest');

  const seconds = { lifted: [] as number[], lasting: [] as number[] };
  const happened = () => {
    const { lost, doubled, overtaken } = way.counts;
    return { lost, doubled, overtaken, repairs: repairsOf(stage.mesh().hops) };
  };
  const isRare = () => Object.values(happened()).some((count) => count <= enough);
  for (let round = 0; round < rounds || (isRare() && round < mostRounds); round += 1) {
    way.spoil(shares);
    for (let changes = 0; changes < changesEach; changes += 1) await tenant.next().do();
    const end = round % 2 === 0 ? ('lifted' as const) : ('lasting' as const);
    if (end === 'lifted') way.spoil(undefined);
    const took = (await stage.converged(tenant.wanted(), patienceSeconds[end])) / 1000;
    seconds[end].push(took);
    say(`round ${round + 1}: right after ${took.toFixed(1)} s, the losses ${end === 'lifted' ? 'over' : 'going on'}`);
  }
  way.spoil(undefined);
  await staysAtRest(stage, tenant.wanted());
  assert.equal(way.counts.refused, 0, 'the Broker did not take an event');
  for (const [what, count] of Object.entries(happened())) assert.ok(count > enough, `${what}: ${count}`);
  const { taken, spoilt } = way.counts;
  const { lost, doubled, overtaken, repairs } = happened();
  say(
    `counted: ${taken} events, ${spoilt} of them on a bad way: ${lost} lost, ${doubled} doubled, ${overtaken} overtaken; ${repairs} repairs by the resync, which comes every ${resyncSeconds} s; longest until all was right: ${Math.max(...seconds.lifted).toFixed(1)} s after the losses, ${Math.max(...seconds.lasting).toFixed(1)} s with them; then two resyncs wrote nothing; ${stage.helped} needed besides (SEED=${seed})`,
  );
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
