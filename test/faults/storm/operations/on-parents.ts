import { describe, type KubeObject, type ObjectRef } from '../../../../packages/controller/domain/kube-object.ts';
import type { User } from '../../../../packages/controller/testing/user.ts';
import { distributedService, message } from '../../../build/objects.ts';
import { fieldRows } from '../../scenarios/fields.ts';
import { type Deeds, type Doing, messages, parents, pickFrom, services } from '../operation.ts';
import { patchBetween, shapeOf } from './shapes.ts';

const texts = ['hello world', 'good night', '$(HOME) $$ `id` "quoted" {{ .Env }}'];
const propagations = ['Background', 'Foreground', 'Orphan'] as const;

/** What a person does to DistributedServices and Messages. */
export const onParents: Deeds = {
  create: { weight: 10, deed: create },
  'change-field': { weight: 10, deed: changeField },
  'change-shape': { weight: 6, deed: changeShape },
  'change-text': { weight: 4, deed: changeText },
  'edit-twice': { weight: 3, deed: editTwice },
  note: { weight: 2, deed: note },
  delete: { weight: 5, deed: remove },
  recreate: { weight: 5, deed: recreate },
  'strip-finalizer': { weight: 1, deed: stripFinalizer },
};

async function create({ user, who, how }: Doing): Promise<string | undefined> {
  const ref = pickFrom(parents, who);
  if ((await user.get(ref)) !== undefined) return undefined;
  await user.create(made(ref, how));
  return `creates ${describe(ref)}, shape ${how % 12}`;
}

/** Every second one is written in the version that is not stored. */
function made({ kind, namespace, name }: ObjectRef, how: number): KubeObject {
  if (kind === 'Message') return message(name, pickFrom(texts, how), { namespace });
  const service = distributedService(name, shapeOf(how), { namespace });
  return how % 24 < 12 ? service : { ...service, apiVersion: 'frp.io/v1' };
}

async function changeField({ user, who, how }: Doing): Promise<string | undefined> {
  const ref = pickFrom(services, who);
  const row = pickFrom(fieldRows, how);
  if ((await user.get(ref)) === undefined) return undefined;
  await user.patch(ref, { spec: row.to });
  return `changes ${row.field} of ${describe(ref)} to ${JSON.stringify(row.to)}`;
}

async function changeShape({ user, who, how }: Doing): Promise<string | undefined> {
  const ref = pickFrom(services, who);
  const live = (await user.get(ref)) as (KubeObject & { readonly spec?: unknown }) | undefined;
  if (live === undefined) return undefined;
  const spec = patchBetween(live.spec, shapeOf(how));
  await user.patch(how % 24 < 12 ? ref : { ...ref, apiVersion: 'frp.io/v1' }, { spec });
  return `makes ${describe(ref)} of shape ${how % 12}`;
}

async function changeText({ user, who, how }: Doing): Promise<string | undefined> {
  const ref = pickFrom(messages, who);
  if ((await user.get(ref)) === undefined) return undefined;
  await user.patch(ref, { spec: { text: pickFrom(texts, how) } });
  return `changes the text of ${describe(ref)} to ${JSON.stringify(pickFrom(texts, how))}`;
}

async function editTwice({ user, who }: Doing): Promise<string | undefined> {
  const ref = pickFrom(services, who);
  if ((await user.get(ref)) === undefined) return undefined;
  await user.patch(ref, { spec: { loadBalancing: { algorithm: 'random' } } });
  await user.patch(ref, { spec: { loadBalancing: { algorithm: 'round-robin' } } });
  return `changes the algorithm of ${describe(ref)} and changes it back`;
}

async function note({ user, who, how }: Doing): Promise<string | undefined> {
  const ref = pickFrom(parents, who);
  if ((await user.get(ref)) === undefined) return undefined;
  await user.patch(ref, { metadata: { annotations: { 'example.com/note': `n${how % 5}` } } });
  return `puts a note on ${describe(ref)}`;
}

async function remove({ user, who, how }: Doing): Promise<string | undefined> {
  const ref = pickFrom(parents, who);
  if ((await user.get(ref)) === undefined) return undefined;
  const propagation = pickFrom(propagations, how);
  await user.delete(ref, propagation);
  return `deletes ${describe(ref)}, ${propagation}`;
}

/** At once: a person who cannot wait takes the finalizers off by hand. */
async function recreate({ user, who, how }: Doing): Promise<string | undefined> {
  const ref = pickFrom(parents, who);
  if ((await user.get(ref)) === undefined) return undefined;
  const propagation = pickFrom(propagations, how >> 4);
  await user.delete(ref, propagation);
  await free(user, ref);
  await user.create(made(ref, how));
  return `deletes ${describe(ref)}, ${propagation}, and creates it anew at once, shape ${how % 12}`;
}

async function stripFinalizer({ user, who }: Doing): Promise<string | undefined> {
  const ref = pickFrom(services, who);
  if ((await user.get(ref)) === undefined) return undefined;
  await free(user, ref);
  return `takes every finalizer off ${describe(ref)}`;
}

async function free(user: User, ref: ObjectRef): Promise<void> {
  const live = await user.get(ref);
  if ((live?.metadata.finalizers ?? []).length > 0) await user.patch(ref, { metadata: { finalizers: null } });
}
