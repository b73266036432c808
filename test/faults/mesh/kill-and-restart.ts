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
const deaths = 4;
const changesEach = 4;

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
  const tenant = createTenant('faults', random, stage.person);
  for (const object of tenant.given) await stage.person.create(object);
  await stage.converged(tenant.wanted(), 60);
  say('all is there and at rest');

  const counts = { restarts: 0, whileStarting: 0, functionsInFlight: 0, functionsLeft: 0 };
  for (let death = 1; death <= deaths; death += 1) {
    const { held, functions, also } = await killInTheMiddle(stage, tenant, { random, withFunctions: death % 2 === 1 });
    counts.functionsInFlight += 1;
    counts.functionsLeft += also === undefined ? functions : 0;
    say(
      `the mesh dies while ${held.stem} waits for ${held.call}, ${functions} functions ${also ? 'with it' : 'behind it'}`,
    );
    stage.start();
    if (death % 2 === 0) {
      const watches = 1 + random.below(10);
      counts.whileStarting += await killWhileStarting(stage, watches);
      say(`it dies again while it starts, after ${watches} watches`);
      stage.start();
    }
    await stage.up();
    counts.restarts += 1;
  }
  say(`kills stop (SEED=${seed}): ${JSON.stringify(counts)}`);
  // Nobody asks for a resync here: the one at the start must do.
  say(`converged ${(await stage.converged(tenant.wanted(), 60)).toFixed(0)} ms after the last start`);
  await staysAtRest(stage, tenant.wanted());
  say('a further resync writes nothing');
  const again = deliveredAgain(stage);
  say(`${again} events that were sent before a death were delivered after it`);
  assert.equal(again > 0 ? 'delivers them again' : 'has lost them', promised);
  assert.equal(counts.restarts, deaths);
  for (const [what, count] of Object.entries(counts)) assert.ok(count > 0, `${what}: none`);
}

/** Every change is done when the mesh dies, and some function has not finished with what came of them. */
async function killInTheMiddle(
  stage: Stage,
  tenant: Tenant,
  { random, withFunctions }: { readonly random: Random; readonly withFunctions: boolean },
) {
  const side = random.oneOf(['before', 'after'] as const);
  const waiting = stage.gate.hold({
    stem: 'any',
    of: random.oneOf(['calls', 'writes']),
    nth: 1 + random.below(20),
    side,
  });
  let held: HeldCall | undefined;
  void waiting.held.then((call) => {
    held = call;
  });
  for (let changes = 0; changes < changesEach || (held === undefined && changes < 20); changes += 1) {
    await tenant.next().do();
    if (changes >= changesEach - 1) await Promise.race([waiting.held, sleep(1000, undefined, { ref: false })]);
  }
  if (held === undefined) throw new Error('no function came so far');
  const call: HeldCall = held;
  const functions = stage.mesh().pidsOf().length;
  const also = withFunctions ? ('functions' as const) : undefined;
  await stage.mesh().kill(also);
  call.drop();
  return { held: call, functions, also };
}

/** 1 if it had not come up yet. */
async function killWhileStarting(stage: Stage, watches: number): Promise<number> {
  const { hops, kill } = stage.mesh();
  const count = (kind: string): number => hops.filter((hop) => hop.kind === kind).length;
  await until('it starts', async () => count('watching') >= watches || count('ready') > 0, 60);
  const isUp = count('ready') > 0;
  await kill();
  return isUp ? 0 : 1;
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
