import { describe, type KubeObject, type ObjectRef } from '../../../../packages/controller/domain/kube-object.ts';
import type { Place } from '../../scenario.ts';
import * as cast from '../../scenarios/cast.ts';
import { type Deed, type Deeds, type Doing, pickFrom, places, shop } from '../operation.ts';

/** What a person does to all that services hang on: backends, profiles, certificates, workloads, a whole namespace. */
export const onTheRest: Deeds = {
  'add-backend': { weight: 4, deed: makeOne(backendsIn) },
  'remove-backend': { weight: 3, deed: takeAway(backendsIn) },
  'backend-unready': { weight: 2, deed: readiness('False') },
  'backend-ready': { weight: 2, deed: readiness('True') },
  'relabel-backend': { weight: 2, deed: toOne(backendsIn, relabel) },
  'add-service': { weight: 2, deed: makeOne(servicesIn) },
  'remove-service': { weight: 2, deed: takeAway(servicesIn) },
  'add-workload': { weight: 3, deed: makeOne(workloadsIn) },
  'remove-workload': { weight: 2, deed: takeAway(workloadsIn) },
  'scale-workload': { weight: 2, deed: toOne(workloadsIn, scaleWorkload) },
  'add-profile': { weight: 4, deed: makeOne(profilesIn) },
  'change-profile': { weight: 4, deed: toOne(profilesIn, changeProfile) },
  'remove-profile': { weight: 2, deed: takeAway(profilesIn) },
  'add-secret': { weight: 3, deed: makeOne(secretsIn) },
  'change-secret': { weight: 2, deed: toOne(secretsIn, changeSecret) },
  'remove-secret': { weight: 2, deed: takeAway(secretsIn) },
  'delete-namespace': { weight: 1, deed: removeNamespace },
  'create-namespace': { weight: 4, deed: createNamespace },
};

function backendsIn(place: Place): readonly KubeObject[] {
  return [
    cast.backend(place, 'web-1'),
    cast.backend(place, 'web-2'),
    cast.backend(place, 'tls-1', 'web-tls'),
    cast.pod(place, 'shop-1', { app: 'shop' }),
  ];
}

function servicesIn(place: Place): readonly KubeObject[] {
  return [cast.plainService(place, 'shop', { 'frp.io/service': 'web' })];
}

function workloadsIn(place: Place): readonly KubeObject[] {
  return [cast.workload(place, 1)];
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

function makeOne(choice: Choice): Deed {
  return async ({ user, who, how }) => {
    const object = pickFrom(choice(pickFrom(places, who)), how);
    if ((await user.get(refOf(object))) !== undefined) return undefined;
    await user.create(object);
    return `creates ${describe(refOf(object))}`;
  };
}

interface OnOne extends Doing {
  readonly ref: ObjectRef;
  readonly live: KubeObject;
}

/** On one that is there: the next in the list from where the numbers point. */
function toOne(choice: Choice, deed: (doing: OnOne) => Promise<string | undefined>): Deed {
  return async (doing) => {
    const refs = places.flatMap(choice).map(refOf);
    for (let step = 0; step < refs.length; step += 1) {
      const ref = pickFrom(refs, doing.who + doing.how + step);
      const live = await doing.user.get(ref);
      if (live !== undefined) return deed({ ...doing, ref, live });
    }
    return undefined;
  };
}

function takeAway(choice: Choice): Deed {
  return toOne(choice, async ({ user, ref }) => {
    await user.delete(ref);
    return `deletes ${describe(ref)}`;
  });
}

/** Only of a Pod that runs: what has no address yet cannot be ready. */
function readiness(status: 'True' | 'False'): Deed {
  return toOne(backendsIn, async ({ user, ref, live }) => {
    const { podIP } = (live as { readonly status?: { readonly podIP?: string } }).status ?? {};
    if (podIP === undefined) return undefined;
    await user.patch(ref, { status: { conditions: [{ type: 'Ready', status }] } });
    return `makes ${describe(ref)} ${status === 'True' ? 'ready' : 'unready'}`;
  });
}

async function relabel({ user, ref, how }: OnOne): Promise<string> {
  const label = pickFrom([null, 'web', 'web-tls'], how >> 3);
  await user.patch(ref, { metadata: { labels: { 'frp.io/service': label } } });
  return `labels ${describe(ref)} as a backend of ${label ?? 'nothing'}`;
}

async function scaleWorkload({ user, ref, how }: OnOne): Promise<string> {
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

async function changeProfile({ user, ref, how }: OnOne): Promise<string> {
  const data = pickFrom(profileChanges, how >> 2);
  await user.patch(ref, { data });
  return `changes ${describe(ref)}: ${JSON.stringify(data)}`;
}

async function changeSecret({ user, ref, how }: OnOne): Promise<string> {
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
