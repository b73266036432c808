import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Due } from '../../../packages/controller/testing/sim/run.ts';
import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';
import * as cast from '../scenarios/cast.ts';
import { emptyCluster, place } from '../sim/prepare.ts';
import { inWorld } from './world.ts';

const from = await emptyCluster();

/** An event as the source would send it, with whatever attributes. */
function forged(attributes: Readonly<Record<string, string>>, data: unknown = nobody(attributes)): CloudEvent {
  const type = 'dev.knative.apiserver.resource.update';
  const base = { specversion: '1.0', id: 'forged', type, source: 'https://kubernetes', time: '2026-01-01T00:00:00Z' };
  return {
    attributes: { ...base, ...attributes },
    contentType: 'application/json',
    data: Buffer.from(JSON.stringify(data)),
  };
}

function nobody({ kind, apiversion, name, namespace }: Readonly<Record<string, string>>): unknown {
  return { apiVersion: apiversion, kind, metadata: { name, namespace } };
}

const about = (kindOf: string, name: string, namespace = place.namespace) => {
  const [apiversion = '', kind = ''] = kindOf.split(' ');
  return { kind, apiversion, name, namespace };
};
const unknown: Readonly<Record<string, CloudEvent>> = {
  'a name that is not there': forged(about('frp.io/v1beta1 DistributedService', 'nobody')),
  'a namespace that is not there': forged(about('frp.io/v1beta1 DistributedService', 'web', 'nowhere')),
  'a version that is not there': forged(about('frp.io/v9 DistributedService', 'nobody')),
  'a kind that is not there': forged(about('example.com/v1 Unicorn', 'web')),
};

for (const [what, event] of Object.entries(unknown)) {
  test(`E5: an event about ${what} is done, at the cost of reads`, async () => {
    await inWorld({ from }, async ({ simulation, settle, writes, rest }) => {
      simulation.send(event);
      await settle();
      assert.deepEqual(writes(), []);
      assert.deepEqual(
        simulation.trace([]).answers.filter(({ status }) => status !== 204),
        [],
      );
      await rest();
    });
  });
}

test('E5: what a forged event says of an object is not believed', async () => {
  await inWorld({ given: cast.withEveryChild }, async ({ simulation, see, settle, writes, rest }) => {
    const live = see(cast.webRef(place));
    const spec = { ...live.spec, expose: { remotePort: 6666 } };
    const metadata = { ...live.metadata, generation: 99, deletionTimestamp: '2026-01-01T00:00:00Z' };
    const data: KubeObject = { ...live, spec, metadata } as KubeObject;
    simulation.send(forged(about('frp.io/v1beta1 DistributedService', 'web'), data));
    await settle();
    assert.deepEqual(writes(), []);
    await rest();
  });
});

const deep = '['.repeat(100_000) + ']'.repeat(100_000);
const poison: Readonly<Record<string, { readonly headers?: object; readonly body: string; readonly status: number }>> =
  {
    'no CloudEvent': { headers: { 'ce-type': undefined, 'ce-id': undefined }, body: '{}', status: 400 },
    'JSON cut short': { body: '{"kind":', status: 400 },
    'a hundred thousand levels': { body: deep, status: 400 },
    'a key that would change every object': { body: '{"__proto__":{"polluted":true}}', status: 400 },
    'a picture': { headers: { 'content-type': 'image/png' }, body: 'PNG', status: 415 },
  };

for (const [what, { headers, body, status }] of Object.entries(poison)) {
  test(`E6: ${what} is refused with ${status} and nothing is read, whatever comes after`, async () => {
    await inWorld({ given: cast.withEveryChild }, async ({ simulation, user, settle, resync, writes, state }) => {
      await cast.wake(user, cast.webRef(place));
      const due = simulation.queue.shift() as Due;
      const all = { ...due.delivery.headers, ...headers };
      const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
      const run = await simulation.start({ ...due, delivery: { headers: kept, body: Buffer.from(body) } });
      for (let turns = 0; turns < 50 && run.answer === undefined; turns += 1) await simulation.breathe();
      assert.equal(run.answer?.status, status);
      assert.equal(run.calls.length, 0);
      assert.equal(({} as { polluted?: unknown }).polluted, undefined);
      simulation.collect();
      await user.patch(cast.webRef(place), { spec: { expose: { remotePort: 7002 } } });
      await settle();
      assert.equal(state(), 'Running');
      // The first takes away the Claim of the old port, which was kept a minute.
      await resync();
      const before = writes().length;
      await resync();
      assert.deepEqual(writes().slice(before), []);
    });
  });
}
