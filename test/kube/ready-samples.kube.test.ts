import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import * as cast from '../faults/scenarios/cast.ts';
import type { FieldRow } from '../faults/scenarios/field-row.ts';
import { fieldRows } from '../faults/scenarios/fields.ts';
import { type Arena, openArena } from './arena.ts';
import { pathOf } from './install.ts';
import { everyMs, isTrue, lieOf } from './ready-lies.ts';

let arena: Arena;
before(async () => {
  arena = await openArena();
});
after(async () => {
  await arena.close();
  assert.deepEqual(arena.source?.failures, []);
});

const controllerNamespace = 'knudge';
/** Milliseconds after which a change of a field must have come to rest. */
const longestMs = 30_000;

/** Changes one field of a service that runs, and looks at it all the time until it is at rest; gives how often it looked. */
async function sample({ from, to, needs }: FieldRow): Promise<number> {
  const namespace = await arena.namespace('ready');
  const place = { namespace, controller: controllerNamespace };
  const given = [
    cast.profile(place, { subDomainHost: 'frps.example.com' }),
    cast.backend(place),
    cast.pod(place, 'shop-1', { app: 'shop', tier: 'front' }),
    ...(needs?.(place) ?? []),
    cast.web(place, from),
  ];
  for (const object of given) await arena.put(object);
  await arena.running(namespace, 'web');
  const path = pathOf('frp.io/v1beta1', 'DistributedService', { namespace, name: 'web' });
  const contentType = 'application/merge-patch+json';
  const { status, body } = await arena.api('PATCH', path, { body: { spec: to }, contentType });
  assert.equal(status, 200, JSON.stringify(body));
  const { generation = 0 } = (body as KubeObject).metadata;
  const began = Date.now();
  let looks = 0;
  let restsSince: number | undefined;
  while (restsSince === undefined || Date.now() - restsSince < 500) {
    assert.equal(await lieOf(arena, namespace), undefined, 'is Ready, and');
    looks += 1;
    const service = await arena.service(namespace, 'web');
    const isDone = service?.status?.observedGeneration === generation;
    // Two of the changes leave too few backends, and so a service that waits for more.
    const isAtRest = isDone && (!isTrue(service, 'Reconciling') || !isTrue(service, 'BackendsAvailable'));
    if (isAtRest) restsSince ??= Date.now();
    else restsSince = undefined;
    assert.ok(Date.now() - began < longestMs, `not at rest: ${JSON.stringify(service?.status?.conditions)}`);
    await sleep(everyMs);
  }
  await arena.remove(cast.web(place));
  return looks;
}

/** Rows at a time, each in a namespace of its own: a row mostly waits for Pods, and is looked at all the time. */
const concurrency = 4;

describe('Ready is never said of a generation that does not run, whatever field of the spec is changed', {
  concurrency,
}, () => {
  for (const row of fieldRows)
    it(`${row.field}${row.how === undefined ? '' : `, ${row.how}`}`, async (context) => {
      context.diagnostic(`looked ${String(await sample(row))} times`);
    });
});
