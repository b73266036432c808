import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMapChanged } from '../../../../functions/config-map-changed.ts';
import { distributedServiceChanged } from '../../../../functions/distributed-service-changed.ts';
import { memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { distributedService, serverProfile } from '../../../../test/build/objects.ts';
import { running, service } from '../../../../test/build/running-service.ts';
import { type Change, inputSource, type Outgoing } from '../../domain/change.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { refOf } from '../../domain/kube-object.ts';
import { mergeOutcomes } from '../../server/outcomes.ts';
import { decode } from '../../wire/decode.ts';
import { encode } from '../../wire/encode.ts';
import { toChange } from '../../wire/to-change.ts';
import { reactOn } from './react-on.ts';

const profile = serverProfile();
const change: Change = { id: 'event-1', verb: 'updated', ref: refOf(profile), hint: profile };
const configMaps = { handle: configMapChanged, kind: '/ConfigMap' };

/** A profile and these services that use it, and what is sent; `takes` says which events the Broker takes. */
function shared(names: readonly string[], takes: (name: string | undefined) => boolean = () => true) {
  const cluster = memoryCluster();
  for (const one of [profile, ...names.map((name) => distributedService(name))]) cluster.put(one);
  const sent: Outgoing[] = [];
  const send = async (event: Outgoing): Promise<void> => {
    if (!takes(event.extensions['name'])) throw new KnudgeError('unavailable', 'the Broker answered 503');
    sent.push(event);
  };
  return { cluster, sent, sender: { send } };
}

test('a profile that several use is told to each by an event of its own, and nothing of them is read', async () => {
  const { cluster, sent, sender } = shared(['web', 'api', 'shop']);
  const outcome = mergeOutcomes(await reactOn(cluster, configMaps, { sender }).handle(change, { dryRun: false }));
  assert.deepEqual(outcome, { result: 'done', reads: 2, writes: 0, events: { sent: 3, failed: 0 } });
  assert.deepEqual(sent.map(({ extensions: { name } }) => name).sort(), ['api', 'shop', 'web']);
  assert.deepEqual(
    sent.find(({ extensions: { name } }) => name === 'web'),
    {
      id: 'event-1/DistributedService/shop/web',
      type: 'dev.knudge.resync.requested',
      source: inputSource,
      time: '2026-01-01T00:00:00Z',
      extensions: { apiversion: 'frp.io/v1beta1', kind: 'DistributedService', namespace: 'shop', name: 'web' },
    },
  );
});

test('of two that share a profile each is asked after once, however often a try begins elsewhere', async () => {
  const { cluster, sent, sender } = shared(['web', 'api']);
  const { handle } = reactOn(cluster, configMaps, { sender });
  await handle(change, { dryRun: false });
  await handle(change, { dryRun: false });
  assert.equal(new Set(sent.map(({ id }) => id)).size, 2);
});

const direct: readonly [why: string, names: readonly string[], over: Partial<Change>, dryRun: boolean][] = [
  ['only one uses it', ['web'], {}, false],
  ['the event is a replayed one', ['web', 'api'], { isReplay: true }, false],
  ['it is a dry run', ['web', 'api'], {}, true],
];
for (const [why, names, over, dryRun] of direct) {
  test(`who uses a profile is looked at by the event itself where ${why}`, async () => {
    const { cluster, sent, sender } = shared(names);
    const { handle } = reactOn(cluster, configMaps, { sender });
    const { parents = [], events } = mergeOutcomes(await handle({ ...change, ...over }, { dryRun }));
    assert.deepEqual([sent, events, parents.map(({ name }) => name).sort()], [[], undefined, names.toSorted()]);
  });
}

test('where there is no Broker, who uses a profile is looked at by the event itself', async () => {
  const { cluster } = shared(['web', 'api']);
  const outcomes = await reactOn(cluster, configMaps).handle(change, { dryRun: false });
  assert.equal(mergeOutcomes(outcomes).parents?.length, 2);
});

test('what the Broker does not take is told, and makes the event come again', async () => {
  const { cluster, sent, sender } = shared(['web', 'api', 'shop'], (name) => name !== 'api');
  await assert.rejects(reactOn(cluster, configMaps, { sender }).handle(change, { dryRun: false }), {
    code: 'unavailable',
    message: '2 of 3 that use ConfigMap shop/frps-default were asked after: the Broker answered 503',
  });
  assert.equal(sent.length, 2, 'one that fails keeps no other from its turn');
});

test('who has no time left to ask after all says so, and makes the event come again', async () => {
  const { cluster, sender } = shared(Array.from({ length: 40 }, (_, index) => `web-${String(index)}`));
  let ms = 0;
  const slow = {
    send: async (event: Outgoing): Promise<void> => {
      await sender.send(event);
      ms += 300;
    },
  };
  const { handle } = reactOn(cluster, configMaps, { sender: slow, elapsed: () => ms });
  await assert.rejects(handle(change, { dryRun: false }), {
    code: 'unavailable',
    message:
      /^\d+ of 40 that use ConfigMap shop\/frps-default were asked after: there was no time for more within 3.6 s$/,
  });
});

test('who is asked after is looked at, not read as a whole', async () => {
  const cluster = await running();
  const sent: Outgoing[] = [];
  cluster.put(distributedService('api'));
  const { handle } = reactOn(cluster, configMaps, { sender: { send: async (event) => void sent.push(event) } });
  await handle(change, { dryRun: false });
  const event = sent.find(({ extensions: { name } }) => name === service.metadata.name);
  assert.ok(event);
  const { headers, body } = encode(event);
  const asked = toChange(decode({ headers, body: Buffer.from(body) }));
  assert.ok(asked);
  assert.deepEqual([asked.verb, asked.byInput, asked.byResync], ['requested', true, undefined]);
  const services = { handle: distributedServiceChanged, kind: 'frp.io/DistributedService' };
  const { reads, writes } = mergeOutcomes(await reactOn(cluster, services).handle(asked, { dryRun: false }));
  assert.deepEqual({ reads, writes }, { reads: 8, writes: 0 });
});
