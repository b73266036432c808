import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import { withoutClock } from '../../../packages/event-log/test/replay/edits.ts';
import { differences, shapesOf } from '../../../packages/event-log/test/replay/shape.ts';
import { until } from '../../kube/until.ts';
import { seeded } from '../input/random.ts';
import { wrongsOf } from './at-rest.ts';
import { createTenant } from './changes.ts';
import { askForResync, createUnhurried } from './later.ts';
import { withEnv, withSpec } from './project-copy.ts';
import { staysAtRest } from './rest.ts';
import { openStage } from './stage.ts';
import { openSwitch } from './switch.ts';

const seed = Number(process.env['SEED'] ?? 20261122);
/** Real ones: nothing here is scaled. */
const awaySeconds = Number(process.env['AWAY'] ?? 60);
const changes = 30;
const patienceSeconds = 120;

test(`the Broker is away for ${awaySeconds} s amid changes: the sources lose events, and one resync makes all right (SEED=${seed})`, async (context) => {
  const began = performance.now();
  const say = (text: string): void =>
    context.diagnostic(`${((performance.now() - began) / 1000).toFixed(1)} s: ${text}`);
  const broker = await openSwitch(context);
  const url = `${broker.url}/knudge/knudge`;
  const stage = await openStage({
    edit: (object) => {
      const source = withSpec(withoutClock(object), 'ApiServerSource', { sink: { uri: url } });
      return object.metadata.name === 'resync-due' ? withEnv(source, { K_SINK: url }) : source;
    },
  });
  context.after(stage.close);
  stage.start();
  await stage.up();
  broker.lead((await stage.mesh().ready).broker);
  const isThere = async (ref: ObjectRef): Promise<boolean> => (await stage.reader().get(ref)) !== undefined;
  const { person, catchUp } = createUnhurried(stage.person, isThere);
  const tenant = createTenant('faults', { random: seeded(seed), person });
  for (const object of tenant.given) await stage.person.create(object);
  await stage.converged(tenant.wanted(), patienceSeconds);
  say('all is there and at rest');

  broker.off();
  const end = performance.now() + awaySeconds * 1000;
  for (let change = 0; change < changes; change += 1) {
    await tenant.next().do();
    await sleep(Math.max(0, (end - performance.now()) / (changes - change)));
  }
  const lost = (): number => stage.mesh().hops.filter(({ kind }) => kind === 'lost').length;
  const wrongs = await wrongsOf(stage.reader(), tenant.wanted());
  broker.on();
  assert.ok(lost() > 0, 'the sources have lost nothing');
  assert.ok(wrongs.length > 0, 'nothing was lost that mattered');

  const back = performance.now();
  await askForResync((await stage.mesh().ready).broker);
  await catchUp();
  await until(
    'all is right',
    async () => {
      const found = await wrongsOf(stage.reader(), tenant.wanted());
      return found.length === 0 || found;
    },
    patienceSeconds,
  );
  const seconds = ((performance.now() - back) / 1000).toFixed(1);
  const shapes = await shapesOf(stage.reader(), 'faults');
  await staysAtRest(stage, tenant.wanted());
  assert.deepEqual(differences(shapes, await shapesOf(stage.reader(), 'faults')), []);
  say(
    `counted: ${changes} changes while the Broker was away for ${awaySeconds} s: ${lost()} events lost by the sources, ${wrongs.length} wrongs; ${seconds} s after one resync none, and two more wrote nothing (SEED=${seed})`,
  );
});
