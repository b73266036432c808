import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { conflictReason } from '../../resources/distributed-service/claims/reasons.ts';
import type { Claim } from '../../resources/distributed-service/claims/types.ts';
import type { DistributedService, DistributedServiceSpec } from '../../resources/distributed-service/types.ts';
import { distributedService, object, serverProfile } from '../build/objects.ts';
import { type Arena, openArena } from './arena.ts';
import { pathOf } from './install.ts';

/** The labels that commit a28690a gave to who wants this of the shared server `upgraded`: texts that are fixed for ever. */
const ofHost = 'claim.frp.io/25zehsskd2wur';
const ofPath = 'claim.frp.io/h18jd38iegg4';
const ofPort = 'claim.frp.io/1z9u1mhlvufrc';
const host = 'shop.upgraded.example.com';

let arena: Arena;
let namespaces: { readonly one: string; readonly other: string };

/** As that version has left it: a DistributedService, and its balanced Service with the labels. */
async function leave(
  [namespace, name]: readonly [namespace: string, name: string],
  spec: Partial<DistributedServiceSpec>,
  labels: readonly string[],
): Promise<DistributedService> {
  const service = await arena.put(distributedService(name, { serverProfile: 'upgraded', ...spec }, { namespace }));
  const { apiVersion, kind, metadata } = service;
  const owner = { apiVersion, kind, name, uid: metadata.uid ?? '', controller: true, blockOwnerDeletion: true };
  await arena.put(
    object('Service', `frp-${name}-balanced`, {
      metadata: {
        namespace,
        labels: {
          'app.kubernetes.io/managed-by': 'knudge',
          'knudge.dev/owner-uid': owner.uid,
          ...Object.fromEntries(labels.map((label) => [label, 'held'])),
        },
        ownerReferences: [owner],
      },
      spec: { selector: { 'frp.io/tunnel': name }, ports: [{ name: 'balanced', port: 8080, targetPort: 18_000 }] },
    }),
  );
  // The age is given in seconds.
  await sleep(1100);
  return service;
}

/** No event comes but those of the test. */
before(async () => {
  arena = await openArena({ stems: ['distributed-service-changed'], withSource: false });
  namespaces = { one: await arena.namespace('upgraded'), other: await arena.namespace('upgraded') };
  const profile = serverProfile('upgraded');
  await arena.put({ ...profile, metadata: { ...profile.metadata, namespace: arena.home } });
});
/** The labels say these names in each run: nothing is left that wants them. */
after(async () => {
  const finalizers = { body: { metadata: { finalizers: [] } }, contentType: 'application/merge-patch+json' };
  for (const namespace of Object.values(namespaces)) {
    for (const service of await arena.list('frp.io/v1beta1', 'DistributedService', namespace)) {
      const { name } = service.metadata;
      await arena.remove(service);
      await arena.api('PATCH', pathOf('frp.io/v1beta1', 'DistributedService', { namespace, name }), finalizers);
    }
  }
  for (const claim of await claims()) await arena.remove(claim);
  await arena.close();
});

/** Those of the server, of all holders. */
async function claims(): Promise<readonly Claim[]> {
  const all = (await arena.list('frp.io/v1beta1', 'Claim', arena.home)) as readonly Claim[];
  return all.filter(({ spec }) => spec.server.endsWith('/upgraded'));
}

async function reasonOf({ metadata: { namespace = '', name } }: DistributedService): Promise<string | undefined> {
  const found = await arena.service(namespace, name);
  return found?.status?.conditions?.find(({ type }) => type === 'ConfigurationValid')?.reason;
}

/** Who holds what of the server, as `<kind> <value>: <namespace> <service>`. */
async function held(): Promise<readonly string[]> {
  return (await claims())
    .filter(({ spec }) => spec.state === 'Held')
    .map(
      ({ spec }) =>
        `${spec.kind} ${spec.value}: ${spec.namespace} ${spec.services
          .map(({ name }) => name)
          .toSorted()
          .join()}`,
    )
    .sort();
}

test('an upgrade from claims that were labels, younger services first, loses no name', async () => {
  const { one, other } = namespaces;
  const http = (expose: object) => ({ serviceType: 'http', expose }) as const;
  const older = await leave([one, 'older'], http({ domains: [host] }), [ofHost]);
  const beside = await leave([one, 'beside'], http({ domains: [host], locations: ['/a'] }), [ofPath]);
  const port = await leave([one, 'port'], { expose: { remotePort: 7311 } }, [ofPort]);
  // Both had the label, and the status of the younger one says that the older one has it.
  const younger = await leave([other, 'younger'], { expose: { remotePort: 7311 } }, [ofPort]);
  const thief = await leave([other, 'thief'], http({ domains: [host] }), [ofHost]);
  const fresh = await arena.put(
    distributedService(
      'new',
      { serverProfile: 'upgraded', ...http({ domains: [host], locations: ['/a'] }) },
      { namespace: other },
    ),
  );
  for (const service of [fresh, thief, younger]) await arena.settled(service);
  const stolen = (await held()).filter((claim) => claim.includes(`: ${other} `));
  assert.deepEqual(stolen, [], 'before those who have it have been looked at');
  for (const service of [beside, port, older, fresh, thief, younger]) await arena.settled(service);
  assert.deepEqual(await held(), [`Host ${host}: ${one} beside,older`, `TCPPort 7311: ${one} port`]);
  for (const service of [older, beside, port])
    assert.notEqual(await reasonOf(service), conflictReason, service.metadata.name);
  for (const service of [fresh, thief, younger])
    assert.equal(await reasonOf(service), conflictReason, service.metadata.name);
  const left = await arena.get('v1', 'Service', { namespace: one, name: 'frp-port-balanced' });
  assert.equal(left?.metadata.labels?.[ofPort], 'released', 'it says so no more');
});
