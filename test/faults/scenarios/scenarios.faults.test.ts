import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Snapshot } from '../../../packages/controller/testing/sim/snapshot.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import type { DistributedService } from '../../../resources/distributed-service/types.ts';
import { turnedOut } from '../sim/gate.ts';
import { prepare } from '../sim/prepare.ts';
import { scenarios } from './scenarios.ts';

interface Told extends KubeObject {
  readonly status?: { readonly state?: string };
}

/** What the state of the service is where the name of the scenario says it. */
const states: Readonly<Record<string, string>> = {
  'delete-pending': 'Pending',
  'delete-provisioning': 'Provisioning',
  'delete-running': 'Running',
  'delete-updating': 'Updating',
  'delete-failed': 'Failed',
  'delete-failed-later': 'Failed',
  'delete-terminating': 'Terminating',
};

for (const scenario of scenarios) {
  test(`${scenario.name}: Knudge makes it right without faults, and faults have calls to hit`, async () => {
    const { clean, from } = await prepare(scenario);
    const calls = clean.calls.filter(({ at }) => at < clean.marks.lifted);
    assert.ok(calls.length > 0, 'no call before the faults are lifted');
    assert.deepEqual(
      clean.answers.filter(({ status }) => status === 0 || status >= 300).map(({ stem, body }) => `${stem}: ${body}`),
      [],
    );
    assert.deepEqual(leftToResync(clean), []);
    assert.deepEqual(turnedOutIn(from, clean), []);
    const state = states[scenario.name];
    if (state === undefined) return;
    const services = from.objects.map(({ object }) => object as unknown as Told);
    assert.equal(services.find(({ kind }) => kind === 'DistributedService')?.status?.state, state);
  });
}

/**
 * What the first resync afterwards wrote besides statuses and Events, although events of all that had happened had come. Only it deletes a
 * Claim whose minute is over.
 */
function leftToResync({ changes, marks }: Trace): readonly string[] {
  return changes
    .filter(({ at, by }) => by.who === 'run' && at > marks.lifted && at < marks.rest)
    .map(({ type, object }) => `${type} ${object.kind} ${object.metadata.name}`)
    .filter((what) => !/ (DistributedService|Message|Event) |^DELETED Claim /.test(what));
}

/** What the gate refuses at rest to the tunnels of services that cannot use their profile, although nobody changed their spec. */
function turnedOutIn(from: Snapshot, { resting }: Trace): readonly string[] {
  const before = from.objects.map(({ object }) => object as unknown as DistributedService);
  return resting.flatMap((object) => {
    const { kind, metadata, status } = object as DistributedService;
    if (kind !== 'DistributedService' || metadata.deletionTimestamp !== undefined) return [];
    if (status?.conditions?.some(({ reason }) => /^(ServerProfile|TokenSecret)/.test(reason)) !== true) return [];
    const same = before.find((one) => one.metadata.uid === metadata.uid);
    if (same === undefined || same.metadata.generation !== metadata.generation) return [];
    return turnedOut(same, object as DistributedService).map((op) => `${op} of ${metadata.name}`);
  });
}
