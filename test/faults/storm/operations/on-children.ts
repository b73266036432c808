import {
  describe,
  type KubeObject,
  type ObjectRef,
  refOf,
} from '../../../../packages/controller/domain/kube-object.ts';
import {
  authorityName,
  type ChildRole,
  childName,
  childRoles,
} from '../../../../resources/distributed-service/names.ts';
import { messagePodName } from '../../../build/message-pod-name.ts';
import { object } from '../../../build/objects.ts';
import { type Deed, type Deeds, type Doing, parents, pickFrom, places } from '../operation.ts';
import { damagesTo } from './damages.ts';

const holder = 'example.com/hold';
const roles = Object.keys(childRoles) as readonly ChildRole[];
const propagations = ['Background', 'Foreground', 'Orphan'] as const;

/** Every child that any of the parents may have. */
const children: readonly ObjectRef[] = parents.flatMap(({ kind, namespace, name }) => {
  if (kind === 'Message') return [{ apiVersion: 'v1', kind: 'Pod', namespace, name: messagePodName(name) }];
  return roles.map((role) => ({ ...childRoles[role], namespace, name: childName(name, role) }));
});

/** What a person does to what Knudge made. */
export const onChildren: Deeds = {
  'damage-child': { weight: 6, deed: toChild(damage) },
  'delete-child': { weight: 5, deed: toChild(remove) },
  'strip-child': { weight: 4, deed: toChild(strip) },
  'replace-child': { weight: 3, deed: toChild(replace) },
  squat: { weight: 2, deed: squat },
  unsquat: { weight: 2, deed: unsquat },
  'hold-child': { weight: 2, deed: toChild(hold) },
  'let-go': { weight: 2, deed: letGo },
  'delete-authority': { weight: 2, deed: removeAuthority },
};

interface OnChild extends Doing {
  readonly ref: ObjectRef;
  readonly live: KubeObject;
}

/** On one that is there: the next in the list from where the number points. */
function toChild(deed: (doing: OnChild) => Promise<string>): Deed {
  return async (doing) => {
    for (let step = 0; step < children.length; step += 1) {
      const ref = pickFrom(children, doing.who + step);
      const live = await doing.user.get(ref);
      if (live !== undefined) return deed({ ...doing, ref, live });
    }
    return undefined;
  };
}

async function damage({ user, ref, live, how }: OnChild): Promise<string> {
  await user.patch(ref, pickFrom(damagesTo(live), how));
  return `damages ${describe(ref)}`;
}

async function remove({ user, ref, how }: OnChild): Promise<string> {
  const propagation = pickFrom(propagations, how);
  await user.delete(ref, propagation);
  return `deletes ${describe(ref)}, ${propagation}`;
}

async function strip({ user, ref, how }: OnChild): Promise<string> {
  const [labels, owner] = [how % 3 !== 1, how % 3 !== 0];
  await user.patch(ref, { metadata: { ...(labels && { labels: null }), ...(owner && { ownerReferences: null }) } });
  const what = [...(labels ? ['labels'] : []), ...(owner ? ['owner'] : [])].join(' and ');
  return `takes ${what} off ${describe(ref)}`;
}

async function replace({ user, ref, live }: OnChild): Promise<string> {
  await free(user, live);
  await user.delete(ref);
  if ((await user.get(ref)) !== undefined) return `deletes ${describe(ref)}`;
  await user.create(foreign(ref));
  return `puts an object of their own in the place of ${describe(ref)}`;
}

async function squat({ user, who }: Doing): Promise<string | undefined> {
  const ref = pickFrom(children, who);
  if ((await user.get(ref)) !== undefined) return undefined;
  await user.create(foreign(ref));
  return `takes the name of ${describe(ref)}`;
}

async function unsquat({ user, who }: Doing): Promise<string | undefined> {
  for (let step = 0; step < children.length; step += 1) {
    const ref = pickFrom(children, who + step);
    const live = await user.get(ref);
    if (live?.metadata.labels?.['example.com/owner'] !== 'somebody') continue;
    await user.delete(ref);
    return `gives the name of ${describe(ref)} back`;
  }
  return undefined;
}

/** As small as its kind allows. */
function foreign(ref: ObjectRef): KubeObject {
  const { apiVersion, kind, namespace, name } = ref;
  const containers = [{ name: 'main', image: 'example.com/image:1' }];
  const labels = { 'example.com/app': name };
  const specs: Readonly<Record<string, object>> = {
    Service: { spec: { ports: [{ port: 80 }] } },
    Pod: { spec: { containers } },
    Deployment: {
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
    },
  };
  const sort = apiVersion === 'v1' ? kind : `${apiVersion} ${kind}`;
  return object(sort, name, {
    metadata: { namespace, labels: { 'example.com/owner': 'somebody' } },
    ...specs[kind],
  });
}

async function hold({ user, ref, live }: OnChild): Promise<string> {
  await user.patch(ref, { metadata: { finalizers: [...(live.metadata.finalizers ?? []), holder] } });
  return `holds ${describe(ref)} with a finalizer`;
}

async function letGo({ user }: Doing): Promise<string | undefined> {
  const freed = await freeAll(user);
  return freed.length === 0 ? undefined : `lets go of ${freed.join(', ')}`;
}

/** Whatever anybody holds. */
export async function freeAll(user: Doing['user']): Promise<readonly string[]> {
  const freed: string[] = [];
  for (const ref of children) {
    const live = await user.get(ref);
    if (live === undefined || !(live.metadata.finalizers ?? []).includes(holder)) continue;
    await free(user, live);
    freed.push(describe(ref));
  }
  return freed;
}

async function free(user: Doing['user'], { metadata, ...live }: KubeObject): Promise<void> {
  const finalizers = metadata.finalizers ?? [];
  if (!finalizers.includes(holder)) return;
  const kept = finalizers.filter((name) => name !== holder);
  await user.patch(refOf({ metadata, ...live }), { metadata: { finalizers: kept.length > 0 ? kept : null } });
}

async function removeAuthority({ user, who, how }: Doing): Promise<string | undefined> {
  const { namespace } = pickFrom(places, who);
  const ref = {
    apiVersion: 'v1',
    kind: 'Secret',
    namespace,
    name: authorityName(pickFrom(['default', 'second'], how)),
  };
  if ((await user.get(ref)) === undefined) return undefined;
  await user.delete(ref);
  return `deletes the authority ${describe(ref)}`;
}
