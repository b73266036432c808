import { trackUpdate } from '../apply/track.ts';
import { established } from '../crd/establish.ts';
import type { ServerContext } from '../http/request.ts';
import { controllers } from '../identity/user.ts';
import type { JsonObject } from '../json.ts';
import { isEqual, isObject } from '../json.ts';
import { remove } from '../objects/delete.ts';
import { isBeingDeleted, isReleased, metadataOf, stringsAt, withMetadata } from '../objects/metadata.ts';
import type { Change } from '../objects/place.ts';
import { cleanup, conditionsOf } from '../store/terminating.ts';

const resource = 'customresourcedefinitions.apiextensions.k8s.io';

/** Serves the kinds of the stored CustomResourceDefinitions; a definition that is being deleted goes after its objects. */
export function serveDefinitions(world: ServerContext): () => void {
  for (const crd of world.store.list(resource, '') ?? []) {
    if (isEstablished(crd)) world.kinds.define(crd);
    clearSoon(world, String(metadataOf(crd)['name']));
  }
  return world.store.subscribe((change) => {
    if (change.resource === resource) follow(world, change);
    else if (change.type === 'DELETED') clearSoon(world, change.resource);
  });
}

function follow(world: ServerContext, { type, name, object }: Change): void {
  if (type === 'DELETED') {
    world.kinds.withdraw(name);
  } else if (isBeingDeleted(object)) {
    clearSoon(world, name);
  } else {
    establish(world, name, object);
  }
}

/** As on the real server, a definition is established by a second write, for which its creator does not wait. */
function establish(world: ServerContext, name: string, crd: JsonObject): void {
  const next = established(crd, world.kinds);
  if (isEstablished(next)) world.kinds.define(next);
  if (!isEqual(next['status'], crd['status'])) putStatus(world, name, { before: crd, after: next });
}

function isEstablished(crd: JsonObject): boolean {
  return conditionsOf(crd).some((one) => isObject(one) && one['type'] === 'Established' && one['status'] === 'True');
}

function putStatus(
  world: ServerContext,
  name: string,
  { before, after }: { before: JsonObject; after: JsonObject },
): void {
  const kind = world.kinds.find({ group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions' });
  if (kind === undefined) return;
  const [manager, subresource] = ['kube-controller-manager', 'status'];
  const tracked = trackUpdate({ kind, before, after, manager, subresource, now: world.now() });
  world.store.put({ resource, namespace: '', name }, tracked);
}

function clearSoon(world: ServerContext, name: string): void {
  const crd = world.store.get({ resource, namespace: '', name });
  if (crd !== undefined && isBeingDeleted(crd)) world.schedule(() => clear(world, name));
}

function clear(world: ServerContext, name: string): void {
  const place = { resource, namespace: '', name };
  const free = { policy: undefined, uid: undefined, resourceVersion: undefined, grace: undefined };
  const wish = { ...free, dryRun: false, user: controllers };
  const kind = world.kinds.all().find(({ plural, group, custom }) => custom && `${plural}.${group}` === name);
  for (const object of world.store.list(name, '') ?? []) {
    const { namespace = '', name: called = '' } = metadataOf(object);
    if (kind === undefined || isBeingDeleted(object)) continue;
    const target = { kind, namespace: String(namespace), name: String(called), subresource: '', watch: false };
    remove(world, target, wish);
  }
  const crd = world.store.get(place);
  const left = world.store.list(name, '') ?? [];
  if (crd === undefined || left.length > 0 || !stringsAt(crd, 'finalizers').includes(cleanup)) return;
  const finalizers = stringsAt(crd, 'finalizers').filter((one) => one !== cleanup);
  const next = withMetadata(crd, { finalizers: finalizers.length === 0 ? undefined : finalizers });
  if (isReleased(next)) world.store.remove(place);
  else world.store.put(place, next);
}
