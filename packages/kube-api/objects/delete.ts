import type { DeleteWish } from '../http/options.ts';
import { conflict, forbidden, notFound } from '../http/problem.ts';
import type { ServerContext } from '../http/request.ts';
import { timestamp } from '../http/request.ts';
import type { Target } from '../http/route.ts';
import type { JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import { judge } from '../policies/judge.ts';
import type { Kind } from '../schema/kind.ts';
import { terminating } from '../store/terminating.ts';
import { isBeingDeleted, isReleased, metadataOf, stringsAt, withMetadata } from './metadata.ts';
import { find, placeOf, put } from './write.ts';

export interface Deleted {
  /** The object as it is, or was, after the deletion. */
  readonly object: JsonObject;
  readonly isGone: boolean;
  readonly warnings: readonly string[];
}

/** Deletes an object or marks it; throws 404, 409 for a precondition, 403 for a namespace that has to stay. */
export function remove(world: ServerContext, target: Target, wish: DeleteWish): Deleted {
  const { kind, name } = target;
  const before = find(world, target);
  if (isNamespace(kind) && isPermanent(name)) {
    throw forbidden(kind, name, 'this namespace may not be deleted');
  }
  if (before === undefined) throw notFound(kind, name);
  insistOnPreconditions(kind, before, wish);
  const { user, dryRun } = wish;
  const warned = judge(world, { target, operation: 'DELETE', object: undefined, oldObject: before, user, dryRun });
  const policy = wish.policy ?? (isJob(kind) ? 'Orphan' : undefined);
  const warnings = [...(isJob(kind) && wish.policy === undefined ? [jobWarning] : []), ...warned];
  const marked = mark(world, kind, { before, policy, grace: wish.grace });
  // A namespace goes in a second step, once its contents are gone.
  const isGone = isReleased(marked) && (!isNamespace(kind) || isBeingDeleted(before));
  if (dryRun) return { object: marked, isGone, warnings };
  const place = placeOf(target);
  if (!isGone) {
    const object = marked === before ? before : put(world, target, { place, object: marked });
    return { object, isGone, warnings };
  }
  const { resourceVersion = '' } = metadataOf(world.store.remove(place));
  return { object: withMetadata(isPod(kind) ? marked : before, { resourceVersion }), isGone, warnings };
}

const jobWarning =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

function isJob({ group, plural }: Kind): boolean {
  return group === 'batch' && plural === 'jobs';
}

function isPod({ group, plural }: Kind): boolean {
  return group === '' && plural === 'pods';
}

function isNamespace({ group, plural }: Kind): boolean {
  return group === '' && plural === 'namespaces';
}

function isPermanent(name: string): boolean {
  return ['default', 'kube-system', 'kube-public'].includes(name);
}

function insistOnPreconditions(kind: Kind, object: JsonObject, { uid, resourceVersion }: DeleteWish): void {
  const { name = '', uid: is = '', resourceVersion: version = '' } = metadataOf(object);
  if (isNamespace(kind) && uid !== undefined && uid !== is) {
    const uids = `UID in precondition: ${uid}, UID in object meta: ${String(is)}`;
    throw conflict(kind, String(name), `Precondition failed: ${uids}`);
  }
  // In these two sentences the server names the kind; elsewhere it names the resource.
  const named = { ...kind, plural: kind.kind };
  if (uid !== undefined && uid !== is) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${String(is)})`;
    throw conflict(named, String(name), `${why}. The object might have been deleted and then recreated`);
  }
  if (resourceVersion === undefined || resourceVersion === version) return;
  const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${String(version)})`;
  throw conflict(named, String(name), `${why}. The object might have been modified`);
}

interface Marking {
  readonly before: JsonObject;
  readonly policy: DeleteWish['policy'];
  readonly grace: number | undefined;
}

/** The object marked as being deleted; the same object if it is marked already. */
function mark(world: ServerContext, kind: Kind, { before, policy, grace }: Marking): JsonObject {
  const finalizers = finalizersFor(unprotected(kind, stringsAt(before, 'finalizers')), policy);
  const seconds = isPod(kind) ? podGrace(before, grace) : 0;
  const isNew = !isBeingDeleted(before);
  const isShorter = !isNew && isPod(kind) && grace !== undefined && seconds < graceOf(before);
  const isSame = finalizers.length === stringsAt(before, 'finalizers').length;
  if (!isNew && !isShorter && isSame) return before;
  const { generation } = metadataOf(before);
  const fields = {
    ...((isNew || isShorter) && { deletionTimestamp: timestamp(world.now() + seconds * 1000) }),
    ...((isNew || isShorter) && !isNamespace(kind) && !isDefinition(kind) && { deletionGracePeriodSeconds: seconds }),
    ...(isNew && typeof generation === 'number' && !isDefinition(kind) && { generation: generation + 1 }),
    finalizers: finalizers.length === 0 ? undefined : finalizers,
  };
  const marked = withMetadata(before, fields);
  if (isDefinition(kind) && isNew) return terminating(marked, world.now());
  return isNamespace(kind) ? { ...marked, status: { ...objectAt(before, 'status'), phase: 'Terminating' } } : marked;
}

function isDefinition({ kind, custom }: Kind): boolean {
  return kind === 'CustomResourceDefinition' && !custom;
}

/** No Pod here uses a volume, so none is protected once it is to go. */
function unprotected({ group, plural }: Kind, finalizers: readonly string[]): readonly string[] {
  const isVolume = group === '' && plural.startsWith('persistentvolume');
  return isVolume ? finalizers.filter((one) => !/^kubernetes\.io\/pvc?-protection$/.test(one)) : finalizers;
}

/** The finalizers for a policy; without a policy those that are there stay. */
function finalizersFor(present: readonly string[], policy: DeleteWish['policy']): readonly string[] {
  if (policy === undefined) return present;
  const others = present.filter((finalizer) => finalizer !== 'orphan' && finalizer !== 'foregroundDeletion');
  switch (policy) {
    case 'Orphan':
      return [...others, 'orphan'];
    case 'Foreground':
      return [...others, 'foregroundDeletion'];
    case 'Background':
      return others;
  }
}

/** The kubelet's seconds; a Pod without a node has no kubelet to wait for. */
function podGrace(pod: JsonObject, wished: number | undefined): number {
  const { nodeName = '', terminationGracePeriodSeconds = 30 } = objectAt(pod, 'spec');
  const { phase } = objectAt(pod, 'status');
  if (nodeName === '' || phase === 'Succeeded' || phase === 'Failed') return 0;
  return wished ?? Number(terminationGracePeriodSeconds);
}

function graceOf(object: JsonObject): number {
  const { deletionGracePeriodSeconds = 0 } = metadataOf(object);
  return Number(deletionGracePeriodSeconds);
}

/** Whether the deletion of this kind is answered with the object and not with a Status; measured on 1.35. */
export function answersWithObject({ group, plural }: Kind): boolean {
  return group === '' && ['pods', 'services', 'serviceaccounts'].includes(plural);
}
