import { ApiProblem } from '../http/problem.ts';
import type { ServerContext } from '../http/request.ts';
import type { Target } from '../http/route.ts';
import { controllers } from '../identity/user.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject } from '../json.ts';
import { remove } from '../objects/delete.ts';
import { isBeingDeleted, isReleased, metadataOf, stringsAt, withMetadata } from '../objects/metadata.ts';
import type { Change, Place } from '../objects/place.ts';
import { update } from '../objects/write.ts';
import { storageOf } from '../schema/kinds.ts';

interface Node {
  readonly place: Place;
  readonly owners: readonly string[];
}

/**
 * The garbage collector of the controller manager: it deletes objects whose owners are all gone, finishes a foreground
 * deletion after its dependents, and removes the owner after an orphaning one. An owner is identified by its uid alone.
 */
export function collectGarbage(world: ServerContext): () => void {
  const nodes = new Map<string, Node>();
  const dependents = new Map<string, Set<string>>();
  const due = new Set<string>();
  let isScheduled = false;

  const note = (place: Place, object: JsonObject, isGone: boolean): void => {
    const uid = String(metadataOf(object)['uid'] ?? '');
    for (const owner of nodes.get(uid)?.owners ?? []) {
      dependents.get(owner)?.delete(uid);
      if (dependents.get(owner)?.size === 0) dependents.delete(owner);
    }
    nodes.delete(uid);
    if (isGone) return;
    const owners = ownersOf(object).map((owner) => String(owner['uid'] ?? ''));
    nodes.set(uid, { place, owners });
    for (const owner of owners) dependents.set(owner, (dependents.get(owner) ?? new Set()).add(uid));
  };
  const want = (uids: Iterable<string>): void => {
    for (const uid of uids) due.add(uid);
    if (isScheduled || due.size === 0) return;
    isScheduled = true;
    world.schedule(run);
  };
  const run = (): void => {
    isScheduled = false;
    const uids = [...due];
    due.clear();
    for (const uid of uids) tolerate(() => look(uid));
  };
  const find = (uid: string): JsonObject | undefined => {
    const node = nodes.get(uid);
    return node === undefined ? undefined : world.store.get(node.place);
  };
  const look = (uid: string): void => {
    const [node, object] = [nodes.get(uid), find(uid)];
    if (node === undefined || object === undefined) return;
    const children = [...(dependents.get(uid) ?? [])];
    if (isBeingDeleted(object)) settle(world, node.place, { object, children: children.map(find).filter(isObject) });
    else collect(world, object, find);
  };
  const hear = (change: Change): void => {
    const { object, type } = change;
    const uid = String(metadataOf(object)['uid'] ?? '');
    const owners = nodes.get(uid)?.owners ?? [];
    note(change, object, type === 'DELETED');
    if (type === 'DELETED') want([...(dependents.get(uid) ?? []), ...owners]);
    // A dependent that no longer blocks, or whose owner no longer waits, is found through its owner.
    else if (isConcerned(object, owners))
      want([uid, ...owners, ...(isBeingDeleted(object) ? (dependents.get(uid) ?? []) : [])]);
  };
  for (const place of world.store.all()) {
    const object = world.store.get(place);
    if (object !== undefined) note(place, object, false);
  }
  want(nodes.keys());
  return world.store.subscribe(hear);
}

/** Leaves an object as it is if the API refuses the change, for example because of its new schema. */
function tolerate(task: () => void): void {
  try {
    task();
  } catch (thrown) {
    if (!(thrown instanceof ApiProblem)) throw thrown;
  }
}

function isConcerned(object: JsonObject, owners: readonly string[]): boolean {
  return owners.length > 0 || ownersOf(object).length > 0 || isBeingDeleted(object);
}

function ownersOf(object: JsonObject): readonly JsonObject[] {
  const list: Json | undefined = metadataOf(object)['ownerReferences'];
  return isArray(list) ? list.filter(isObject) : [];
}

interface Waiting {
  readonly object: JsonObject;
  readonly children: readonly JsonObject[];
}

/** Handles an object that is being deleted and waits for the garbage collector. */
function settle(world: ServerContext, place: Place, { object, children }: Waiting): void {
  const finalizers = stringsAt(object, 'finalizers');
  const { uid } = metadataOf(object);
  if (finalizers.includes('orphan')) {
    for (const child of children) letGo(world, child, uid);
    finish(world, place, 'orphan');
  }
  if (!finalizers.includes('foregroundDeletion')) return;
  for (const child of children) if (!isBeingDeleted(child)) drop(world, child, 'Foreground');
  const isBlocked = children.some((child) => isStillThere(world, child) && isBlocking(child, uid));
  if (!isBlocked) finish(world, place, 'foregroundDeletion');
}

function isStillThere(world: ServerContext, child: JsonObject): boolean {
  const place = targetOf(world, child);
  return place !== undefined && world.store.get({ ...place, resource: storageOf(place.kind) }) !== undefined;
}

function isBlocking(child: JsonObject, uid: Json | undefined): boolean {
  return ownersOf(child).some((owner) => owner['uid'] === uid && owner['blockOwnerDeletion'] === true);
}

type Find = (uid: string) => JsonObject | undefined;

/** Handles an object that is not being deleted, while its owners may be gone. */
function collect(world: ServerContext, object: JsonObject, find: Find): void {
  const owners = ownersOf(object);
  if (owners.length === 0) return;
  const states = owners.map((owner) => ({ owner, is: find(String(owner['uid'] ?? '')) }));
  const isWaiting = (is: JsonObject) =>
    isBeingDeleted(is) && stringsAt(is, 'finalizers').includes('foregroundDeletion');
  const solid = states.filter(({ is }) => is !== undefined && !isWaiting(is));
  if (solid.length === 0) {
    const isForeground = states.some(({ is }) => is !== undefined);
    drop(world, object, isForeground ? 'Foreground' : undefined);
    return;
  }
  // Owners that are gone are removed from the list, and so are owners that wait for this object.
  if (solid.length < owners.length) {
    own(
      world,
      object,
      solid.map(({ owner }) => owner),
    );
  }
}

function targetOf({ kinds }: ServerContext, object: JsonObject): Target | undefined {
  const kind = kinds.ofKind(String(object['apiVersion']), String(object['kind']));
  const { namespace = '', name = '' } = metadataOf(object);
  return kind && { kind, namespace: String(namespace), name: String(name), subresource: '', watch: false };
}

function drop(world: ServerContext, object: JsonObject, policy: 'Foreground' | undefined): void {
  const target = targetOf(world, object);
  if (target === undefined) return;
  const { uid } = metadataOf(object);
  const wish = { dryRun: false, uid: String(uid), resourceVersion: undefined, grace: undefined, user: controllers };
  const orphans = stringsAt(object, 'finalizers').includes('orphan');
  remove(world, target, { ...wish, policy: policy ?? (orphans ? 'Orphan' : 'Background') });
}

function letGo(world: ServerContext, child: JsonObject, uid: Json | undefined): void {
  const left = ownersOf(child).filter((owner) => owner['uid'] !== uid);
  if (left.length < ownersOf(child).length) own(world, child, left);
}

function own(world: ServerContext, before: JsonObject, owners: readonly JsonObject[]): void {
  const target = targetOf(world, before);
  const given = withMetadata(before, { ownerReferences: owners.length === 0 ? undefined : owners });
  const write = { manager: 'kube-controller-manager', dryRun: false, user: controllers };
  if (target !== undefined) update(world, target, { before, given, write });
}

function finish(world: ServerContext, place: Place, finalizer: string): void {
  const object = world.store.get(place);
  if (object === undefined) return;
  const left = stringsAt(object, 'finalizers').filter((one) => one !== finalizer);
  const next = withMetadata(object, { finalizers: left.length === 0 ? undefined : left });
  if (isReleased(next)) world.store.remove(place);
  else world.store.put(place, next);
}
