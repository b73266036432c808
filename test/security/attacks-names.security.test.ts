import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { conflictReason } from '../../resources/distributed-service/claims/reasons.ts';
import type { Claim } from '../../resources/distributed-service/claims/types.ts';
import { exposedProxy } from '../../resources/distributed-service/frp/exposed-proxy.ts';
import { question } from '../../resources/distributed-service/test/gate/question.ts';
import type { DistributedService, DistributedServiceSpec } from '../../resources/distributed-service/types.ts';
import { backendPod, distributedService, serverProfile } from '../build/objects.ts';
import { type Arena, openArena } from '../kube/arena.ts';
import { until } from '../kube/until.ts';
import { wishesFor } from './wishes.ts';

type Expose = NonNullable<DistributedServiceSpec['expose']>;

/** Of this name is an FRP server that both namespaces share, so of this test alone. */
const server = 'attacked';
const host = 'shop.attacked.example.com';
const { paths, wildcards } = wishesFor(host);

let arena: Arena;
let victims: string;
let thieves: string;

const http = (namespace: string, name: string, expose: Expose): DistributedService =>
  distributedService(name, { serviceType: 'http', serverProfile: server, expose }, { namespace });

before(async () => {
  arena = await openArena();
  [victims, thieves] = [await arena.namespace('victims'), await arena.namespace('thieves')];
  const profile = serverProfile(server);
  await arena.put({ ...profile, metadata: { ...profile.metadata, namespace: arena.home } });
  for (const [namespace, service] of [
    [victims, 'shop'],
    [thieves, 'sleeper'],
  ] as const) {
    const { metadata, spec } = backendPod(`${service}-1`, '', service) as ReturnType<typeof backendPod> & {
      readonly spec: object;
    };
    await arena.put({ apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, namespace }, spec } as typeof profile);
  }
  // One that is older than all others, and sleeps: it has a tunnel, and proxies of its own.
  await arena.put(http(thieves, 'sleeper', { domains: ['sleeper.attacked.example.com'] }));
  await arena.running(thieves, 'sleeper');
  // A creationTimestamp has whole seconds.
  await sleep(1100);
  await arena.put(http(victims, 'shop', { domains: [host] }));
  await arena.running(victims, 'shop');
});
after(() => arena.close());

/** What the status of a service says of what it wants. */
async function verdict(namespace: string, name: string): Promise<{ reason: string; message: string }> {
  const { metadata, status } = (await arena.service(namespace, name)) ?? assert.fail(`${name} is gone`);
  const { reason = '', message = '' } = status?.conditions?.find(({ type }) => type === 'ConfigurationValid') ?? {};
  return status?.observedGeneration === metadata.generation ? { reason, message } : { reason: '', message: 'not seen' };
}

/** The thief learns that somebody else has it, and neither where that is nor what it is called. */
async function isRefused(name: string): Promise<void> {
  await until(`${name} is told`, async () => {
    const told = await verdict(thieves, name);
    return told.reason === conflictReason || told;
  });
  const { message } = await verdict(thieves, name);
  assert.match(message, /belongs to another namespace:/);
  assert.ok(!message.includes(victims), message);
}

/** Whether an FRP server lets a client of this service publish what its spec says. */
async function isLetIn(namespace: string, name: string): Promise<boolean> {
  const { metadata, spec, status } = (await arena.service(namespace, name)) ?? assert.fail(`${name} is gone`);
  const proxy = exposedProxy({ namespace, name, spec });
  const metas = { service: `${namespace}/${name}`, uid: metadata.uid, identity: status?.identityDigest ?? '' };
  const { headers, body } = question('new-proxy', {
    user: { user: '', metas, run_id: 'run-1' },
    proxy_name: proxy?.name,
    proxy_type: 'http',
    remote_port: 0,
    custom_domains: proxy?.customDomains,
    ...(proxy?.locations && { locations: proxy.locations }),
  });
  const url = new URL(`/${arena.home}/frps-${server}?op=NewProxy&version=0.1.0`, arena.functions.of('frp-gate').url);
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return !((await answer.json()) as { readonly reject: boolean }).reject;
}

/** The victim has its host as before, by its Claim, by its status and at the server. */
async function isUnharmed(): Promise<void> {
  assert.equal((await verdict(victims, 'shop')).reason, 'Valid');
  const claims = (await arena.list('frp.io/v1beta1', 'Claim', arena.home)) as readonly Claim[];
  const held = claims.filter(({ spec }) => spec.server.endsWith(`/${server}`) && spec.state === 'Held');
  const holders = held.flatMap(({ spec }) => (spec.value.endsWith(host) ? [spec.namespace] : []));
  assert.deepEqual(holders, [victims]);
  assert.ok(await isLetIn(victims, 'shop'), 'at the gate');
}

for (const [number, wishes] of [
  ['1', paths],
  ['1b', wildcards],
] as const) {
  for (const [index, [wish, expose]] of Object.entries<Expose>(wishes).entries()) {
    test(`${number}: ${wish}, wanted by another namespace, takes nothing of a host that somebody has`, async () => {
      const name = `thief-${number}-${String(index)}`;
      await arena.put(http(thieves, name, expose));
      await isRefused(name);
      assert.equal(await isLetIn(thieves, name), false);
      await isUnharmed();
    });
  }
}

const dummies = (count: number) => Array.from({ length: count }, (_, at) => `d${String(at)}.attacked.example.org`);
const locations = Array.from({ length: 32 }, (_, at) => `/p${String(at)}`);

test('1c: a host behind 31 others, each with 32 paths, is told apart as the only one is', async () => {
  await arena.put(http(thieves, 'many', { domains: [...dummies(31), host], locations }));
  await isRefused('many');
  await isUnharmed();
});

test('1c: a spec of more hosts or paths than are told apart is refused by the API server', async () => {
  const more: readonly Expose[] = [
    { domains: dummies(33) },
    { domains: [host], locations: [...locations, '/one-more'] },
  ];
  for (const expose of more) {
    await assert.rejects(arena.put(http(thieves, 'more', expose)), /Too many: 33: must have at most 32 items/);
  }
});

test('2: a service that was made first and slept takes nothing from a younger one, and loses what it wants', async () => {
  const { metadata: older } = (await arena.service(thieves, 'sleeper')) ?? assert.fail();
  const { metadata: younger } = (await arena.service(victims, 'shop')) ?? assert.fail();
  const born = [older, younger].map(({ creationTimestamp }) => creationTimestamp ?? '');
  assert.ok((born[0] ?? '') < (born[1] ?? ''), born.join());
  assert.ok(await isLetIn(thieves, 'sleeper'), 'it has a tunnel with an identity of its own');
  await arena.put(http(thieves, 'sleeper', { domains: [host] }));
  await isRefused('sleeper');
  assert.equal(await isLetIn(thieves, 'sleeper'), false);
  await isUnharmed();
});
