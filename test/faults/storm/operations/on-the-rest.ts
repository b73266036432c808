import { describe, type KubeObject, type ObjectRef } from '../../../../src/domain/kube-object.ts';
import type { Place } from '../../scenario.ts';
import * as cast from '../../scenarios/cast.ts';
import { type Deeds, type Doing, pickFrom, places, shop } from '../operation.ts';

/** What a person does to all that services hang on: backends, profiles, certificates, workloads, a whole namespace. */
export const onTheRest: Deeds = {
  'add-backend': { weight: 4, deed: makeOne(backendsIn) },
  'remove-backend': { weight: 3, deed: takeAway(backendsIn) },
  'backend-unready': { weight: 2, deed: readiness('False') },
  'backend-ready': { weight: 2, deed: readiness('True') },
  'relabel-backend': { weight: 2, deed: relabel },
  'add-service': {
    weight: 1,
    deed: makeOne((place) => [cast.plainService(place, 'shop', { 'frp.io/service': 'web' })]),
  },
  'remove-service': { weight: 1, deed: takeAway((place) => [cast.plainService(place, 'shop')]) },
  'add-workload': { weight: 1, deed: makeOne((place) => [cast.workload(place, 1)]) },
  'remove-workload': { weight: 1, deed: takeAway((place) => [cast.workload(place, 1)]) },
  'scale-workload': { weight: 1, deed: scaleWorkload },
  'add-profile': { weight: 4, deed: makeOne(profilesIn) },
  'change-profile': { weight: 4, deed: changeProfile },
  'remove-profile': { weight: 2, deed: takeAway(profilesIn) },
  'add-secret': { weight: 3, deed: makeOne(secretsIn) },
  'change-secret': { weight: 2, deed: changeSecret },
  'remove-secret': { weight: 2, deed: takeAway(secretsIn) },
  'delete-namespace': { weight: 1, deed: removeNamespace },
  'create-namespace': { weight: 2, deed: createNamespace },
};

function backendsIn(place: Place): readonly KubeObject[] {
  return [
    cast.backend(place, 'web-1'),
    cast.backend(place, 'web-2'),
    cast.backend(place, 'tls-1', 'web-tls'),
    cast.pod(place, 'shop-1', { app: 'shop' }),
  ];
}

/** That of the controller's namespace serves where a namespace has none of the name. */
function profilesIn(place: Place): readonly KubeObject[] {
  return [
    cast.profile(place),
    cast.profile(place, { address: 'frps2.example.com' }, 'second'),
    cast.profile({ ...place, namespace: place.controller }, { port: '7443' }),
  ];
}

function secretsIn(place: Place): readonly KubeObject[] {
  return [cast.suppliedSecret(place), cast.suppliedSecret(place, 'two', 'other-tls')];
}

type Choice = (place: Place) => readonly KubeObject[];

function refOf({ apiVersion, kind, metadata }: KubeObject): ObjectRef {
  return { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name };
}

function makeOne(choice: Choice): (doing: Doing) => Promise<string | undefined> {
  return async ({ user, who, how }) => {
    const object = pickFrom(choice(pickFrom(places, who)), how);
    if ((await user.get(refOf(object))) !== undefined) return undefined;
    await user.create(object);
    return `creates ${describe(refOf(object))}`;
  };
}

function takeAway(choice: Choice): (doing: Doing) => Promise<string | undefined> {
  return async ({ user, who, how }) => {
    const ref = refOf(pickFrom(choice(pickFrom(places, who)), how));
    if ((await user.get(ref)) === undefined) return undefined;
    await user.delete(ref);
    return `deletes ${describe(ref)}`;
  };
}

/** Only of a Pod that runs: what has no address yet cannot be ready. */
function readiness(status: 'True' | 'False'): (doing: Doing) => Promise<string | undefined> {
  return async ({ user, who, how }) => {
    const ref = refOf(pickFrom(backendsIn(pickFrom(places, who)), how));
    const live = (await user.get(ref)) as { readonly status?: { readonly podIP?: string } } | undefined;
    if (live?.status?.podIP === undefined) return undefined;
    await user.patch(ref, { status: { conditions: [{ type: 'Ready', status }] } });
    return `makes ${describe(ref)} ${status === 'True' ? 'ready' : 'unready'}`;
  };
}

async function relabel({ user, who, how }: Doing): Promise<string | undefined> {
  const ref = refOf(pickFrom(backendsIn(pickFrom(places, who)), how));
  if ((await user.get(ref)) === undefined) return undefined;
  const label = pickFrom([null, 'web', 'web-tls'], how >> 3);
  await user.patch(ref, { metadata: { labels: { 'frp.io/service': label } } });
  return `labels ${describe(ref)} as a backend of ${label ?? 'nothing'}`;
}

async function scaleWorkload({ user, who, how }: Doing): Promise<string | undefined> {
  const ref = refOf(cast.workload(pickFrom(places, who), 1));
  if ((await user.get(ref)) === undefined) return undefined;
  await user.patch(ref, { spec: { replicas: how % 4 } });
  return `scales ${describe(ref)} to ${how % 4}`;
}

const profileChanges: readonly Readonly<Record<string, string | null>>[] = [
  { address: 'frps3.example.com' },
  { port: '7001' },
  { gate: 'false' },
  { gate: null, nonsense: null, port: null, address: 'frps.example.com' },
  { nonsense: 'yes' },
];

async function changeProfile({ user, who, how }: Doing): Promise<string | undefined> {
  const ref = refOf(pickFrom(profilesIn(pickFrom(places, who)), how));
  if ((await user.get(ref)) === undefined) return undefined;
  const data = pickFrom(profileChanges, how >> 2);
  await user.patch(ref, { data });
  return `changes ${describe(ref)}: ${JSON.stringify(data)}`;
}

async function changeSecret({ user, who, how }: Doing): Promise<string | undefined> {
  const ref = refOf(pickFrom(secretsIn(pickFrom(places, who)), how));
  if ((await user.get(ref)) === undefined) return undefined;
  const data = how % 3 === 0 ? { 'tls.key': 'bm8ga2V5' } : cast.suppliedData(how % 3 === 1 ? 'one' : 'two');
  await user.patch(ref, { data });
  return `changes ${describe(ref)}`;
}

const townRef: ObjectRef = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: 'town' };

async function removeNamespace({ user }: Doing): Promise<string | undefined> {
  if ((await user.get(townRef)) === undefined) return undefined;
  await user.delete(townRef);
  return 'deletes the namespace town';
}

async function createNamespace({ user }: Doing): Promise<string | undefined> {
  if ((await user.get(townRef)) !== undefined) return undefined;
  await user.create(townNamespace);
  return 'creates the namespace town';
}

const townNamespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'town' } };

/** What is there when a storm begins, besides one service and one Message. */
export function givenObjects(): readonly KubeObject[] {
  return [
    townNamespace,
    ...places.map((place) => cast.profile(place)),
    cast.backend(shop),
    cast.pod(shop, 'shop-1', { app: 'shop' }),
    cast.backend(pickFrom(places, 1)),
    cast.web(shop, { ...cast.bySelector, ...cast.generated }),
    cast.hello(shop),
  ];
}
