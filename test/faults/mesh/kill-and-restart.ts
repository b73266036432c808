import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../kube/until.ts';
import type { HopLine } from '../../mesh/running-mesh.ts';
import { type Random, seeded } from '../input/random.ts';
import type { HeldCall } from './call-gate.ts';
import { createTenant, type Tenant } from './changes.ts';
import { staysAtRest } from './rest.ts';
import { openStage, type Stage } from './stage.ts';

/** What the Broker does for events that were under way when it died. */
export type Promised = 'delivers them again' | 'has lost them';

const seed = Number(process.env['SEED'] ?? 20261121);
/** How often everything dies; every second time it dies again while it starts. */
const deaths = Number(process.env['DEATHS'] ?? 4);
const changesEach = 4;
/** For what must come true in the end. How long it took is said, and is nobody's promise on a machine with other work. */
const patienceSeconds = 120;
/** How often a start is tried until a kill has met it before it was up. */
const mostStarts = 10;

/**
 * A mesh whose objects are kept is killed again and again, some functions in the middle of their work, and starts again on
 * the same folders: all must come right by what the start itself does.
 */
export async function killAndRestart(context: TestContext, args: readonly string[], promised: Promised): Promise<void> {
  const began = performance.now();
  const say = (text: string): void =>
    context.diagnostic(`${((performance.now() - began) / 1000).toFixed(1)} s: ${text}`);
  const stage = await openStage({ args });
  context.after(stage.close);
  stage.start();
  await stage.up();
  const random = seeded(seed);
  const tenant = createTenant('faults', { random, person: stage.person });
  for (const object of tenant.given) await stage.person.create(object);
  await stage.converged(tenant.wanted(), patienceSeconds);
  say('all is there and at rest');

  const counts = { restarts: 0, whileStarting: 0, functionsInFlight: 0, functionsLeft: 0 };
  for (let death = 1; death <= deaths; death += 1) {
    const { held, functions, also } = await killInTheMiddle(stage, tenant, { random, withFunctions: death % 2 === 1 });
    counts.functionsInFlight += 1;
    counts.functionsLeft += also === undefined ? functions : 0;
    say(
      `the mesh dies while ${held.service} waits for ${held.call}, ${functions} functions ${also ? 'with it' : 'behind it'}`,
    );
    stage.start();
    if (death % 2 === 0) {
      const { kills, when } = await killWhileStarting(stage, random);
      counts.whileStarting += 1;
      say(`it dies again while it starts, ${when} (${kills} kills until one came before it was up)`);
      stage.start();
    }
    await stage.up();
    counts.restarts += 1;
  }
  // Nobody asks for a resync here: the one at the start must do.
  const ms = await stage.converged(tenant.wanted(), patienceSeconds);
  await staysAtRest(stage, tenant.wanted());
  const again = deliveredAgain(stage);
  assert.equal(again > 0 ? 'delivers them again' : 'has lost them', promised);
  assert.equal(counts.restarts, deaths);
  for (const [what, count] of Object.entries(counts)) assert.ok(count > 0, `${what}: none`);
  say(
    `counted: ${counts.restarts} deaths of the mesh and ${counts.whileStarting} while it started, ${counts.functionsInFlight} functions in the middle of a call, ${counts.functionsLeft} left behind; ${again} events delivered after a death that were sent before it; converged ${(ms / 1000).toFixed(1)} s after the last start, then two resyncs wrote nothing; ${stage.helped} resyncs needed besides (SEED=${seed})`,
  );
}

/** Every change is done when the mesh dies, and some function has not finished with what came of them. */
async function killInTheMiddle(
  stage: Stage,
  tenant: Tenant,
  { random, withFunctions }: { readonly random: Random; readonly withFunctions: boolean },
) {
  const side = random.oneOf(['before', 'after'] as const);
  const waiting = stage.gate.hold({
    service: 'any',
    of: random.oneOf(['calls', 'writes']),
    nth: 1 + random.below(20),
    side,
  });
  let held: HeldCall | undefined;
  void waiting.held.then((call) => {
    held = call;
  });
  const end = performance.now() + patienceSeconds * 1000;
  for (let changes = 0; changes < changesEach || (held === undefined && performance.now() < end); changes += 1) {
    await tenant.next().do();
    if (changes >= changesEach - 1) await Promise.race([waiting.held, sleep(1000, undefined, { ref: false })]);
  }
  if (held === undefined) throw new Error(`no function came so far within ${patienceSeconds} s`);
  const call: HeldCall = held;
  const functions = stage.mesh().pidsOf().length;
  const also = withFunctions ? ('functions' as const) : undefined;
  await stage.mesh().kill(also);
  call.drop();
  return { held: call, functions, also };
}

/** Kills the mesh that is starting; one that was up already is started again, until a kill came early enough. */
async function killWhileStarting(stage: Stage, random: Random): Promise<{ kills: number; when: string }> {
  for (let kills = 1; kills <= mostStarts; kills += 1) {
    if (kills > 1) stage.start();
    const { hops, kill } = stage.mesh();
    const count = (kind: string): number => hops.filter((hop) => hop.kind === kind).length;
    // Early while its files are read, or later while its sources begin to watch.
    const [ms, watches] = [random.below(500), random.below(10)];
    const isEarly = random.below(2) === 0;
    if (isEarly) await sleep(ms);
    else await until('it starts', async () => count('watching') > watches || count('ready') > 0, patienceSeconds);
    await kill();
    if (count('ready') === 0) return { kills, when: isEarly ? `after ${ms} ms` : `after ${watches} watches` };
  }
  throw new Error(`no kill met the mesh before it was up in ${mostStarts} starts`);
}

/** Events that a source sent to one mesh and that a later one delivered. */
function deliveredAgain({ meshes }: Stage): number {
  const idOf = (hop: HopLine): string => (hop['event'] as { readonly id: string }).id;
  const sent = new Set<string>();
  let again = 0;
  for (const { hops } of meshes) {
    again += hops.filter((hop) => hop.kind === 'delivered' && sent.has(idOf(hop))).length;
    for (const hop of hops) if (hop.kind === 'sent') sent.add(idOf(hop));
  }
  return again;
}
