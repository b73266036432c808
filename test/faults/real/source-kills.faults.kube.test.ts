import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import { withoutSources, withServer } from '../../../packages/event-log/test/replay/edits.ts';
import { message } from '../../build/objects.ts';
import { until } from '../../kube/until.ts';
import { seeded } from '../input/random.ts';
import { wrongsOf } from '../mesh/at-rest.ts';
import { createTenant } from '../mesh/changes.ts';
import { askForResync, createUnhurried } from '../mesh/later.ts';
import { openStage } from '../mesh/stage.ts';
import { openDyingSource } from './dying-source.ts';
import { prepareRealMesh } from './real-mesh.ts';

const seed = Number(process.env['SEED'] ?? 20261122);
const changes = Number(process.env['CHANGES'] ?? 200);
/** Milliseconds from one change to the next. */
const apart = 60;
const patienceSeconds = 120;

test(`the source is killed each second during ${changes} changes: one resync makes all right (SEED=${seed})`, async (context) => {
  const began = performance.now();
  const say = (text: string): void =>
    context.diagnostic(`${((performance.now() - began) / 1000).toFixed(1)} s: ${text} (SEED=${seed})`);
  const real = await prepareRealMesh(context);
  const namespace = `source-${randomUUID().slice(0, 8)}`;
  const stage = await openStage({ args: real.args, edit: (object) => real.edit(withoutSources(object)) });
  context.after(stage.close);
  stage.start();
  await stage.up();
  const source = openDyingSource(context, [
    'test/faults/real/source-process.ts',
    real.kubeconfig,
    (await stage.mesh().ready).broker,
  ]);
  await source.start();
  const crowd = Array.from({ length: 30 }, (_, n) => message(`crowd-${n}`, `text ${n}`, { namespace }));
  const isThere = async (ref: ObjectRef): Promise<boolean> => (await stage.reader().get(ref)) !== undefined;
  const { person, catchUp } = createUnhurried(stage.person, isThere);
  const tenant = createTenant(namespace, { random: seeded(seed), person, crowd });
  for (const object of tenant.given) await stage.person.create(withServer(object, namespace));
  const right = () =>
    until(
      'all is right',
      async () => {
        const wrongs = await wrongsOf(stage.reader(), tenant.wanted());
        return wrongs.length === 0 || wrongs;
      },
      patienceSeconds,
    );
  await right();
  say(`${tenant.wanted().parents.length} parents are there and right`);

  const { stop } = source.dieEachSecond();
  const before = source.counts.sent;
  for (let change = 0; change < changes; change += 1) {
    await tenant.next().do();
    await sleep(apart);
  }
  await stop();
  const told = source.counts.sent - before;
  const wrongs = await wrongsOf(stage.reader(), tenant.wanted());
  await source.start();
  const asked = performance.now();
  await askForResync((await stage.mesh().ready).broker);
  const late = await catchUp();
  await right();
  const { kills, beforeItWatched } = source.counts;
  say(
    `counted: ${changes} changes, ${kills} kills of the source (${beforeItWatched} before it watched), ${told} events told, ${late} things that could only be made after the resync; ${wrongs.length} wrongs before the resync, none ${((performance.now() - asked) / 1000).toFixed(1)} s after it`,
  );
  assert.ok(kills >= changes * (apart / 1000), `${kills} kills`);
  assert.ok(kills > beforeItWatched, 'it was never killed while it watched');
  assert.ok(wrongs.length > 0, 'nothing was lost that mattered');
});
