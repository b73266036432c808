import type { KubeObject, ObjectRef } from '../controller/domain/kube-object.ts';
import { convert } from './builtin/events.ts';
import type { Client } from './client.ts';
import { notFound } from './http/problem.ts';
import type { ServerContext } from './http/request.ts';
import type { Target } from './http/route.ts';
import { noResource } from './http/route.ts';
import { controllers } from './identity/user.ts';
import type { JsonObject } from './json.ts';
import { bindPod } from './objects/bind.ts';
import { decode } from './objects/conform.ts';
import { remove } from './objects/delete.ts';
import type { Change } from './objects/place.ts';
import { create, find, update } from './objects/write.ts';
import type { Kind } from './schema/kind.ts';
import { storageOf } from './schema/kinds.ts';

const write = { manager: 'kube-controller-manager', dryRun: false, user: controllers } as const;

/** The API for callers in the same process. */
export function clientOf(world: ServerContext): Client {
  const { store } = world;
  const change = (object: KubeObject, subresource: string): KubeObject => {
    const target = { ...targetOf(world, refOf(object)), subresource };
    const before = find(world, target);
    if (before === undefined) throw notFound(target.kind, target.name);
    // A status is written over the object that was read here: to decode all of it again would be half of the cost of the write.
    const given = subresource === 'status' ? toJson(object) : decode(target.kind, toJson(object), 'Ignore').object;
    return toKube(update(world, target, { before, given, write }).object);
  };
  return {
    get: (ref) => {
      const object = find(world, targetOf(world, ref));
      return object && toKube(object);
    },
    list: ({ apiVersion, kind: name, namespace = '' }) => {
      const kind = kindOf(world, apiVersion, name);
      return (store.list(storageOf(kind), namespace) ?? []).map((object) => toKube(convert(object, kind)));
    },
    all: (namespace = '') =>
      store
        .all()
        .filter((place) => namespace === '' || place.namespace === namespace)
        .map((place) => store.get(place))
        .filter((object) => object !== undefined)
        .map((object) => toKube(object)),
    create: (object) => {
      const target = targetOf(world, refOf(object));
      const { object: given } = decode(target.kind, toJson(object), 'Ignore');
      return toKube(create(world, target, { given, write }).object);
    },
    update: (object) => change(object, ''),
    updateStatus: (object) => change(object, 'status'),
    delete: (ref, { propagation, uid, resourceVersion, gracePeriodSeconds } = {}) => {
      const wish = {
        dryRun: false,
        policy: propagation,
        uid,
        resourceVersion,
        grace: gracePeriodSeconds,
        user: controllers,
      };
      remove(world, targetOf(world, ref), wish);
    },
    bind: (pod, node) => toKube(bindPod(world, targetOf(world, pod), node)),
    finalizeNamespace: (name) => {
      const target = targetOf(world, { apiVersion: 'v1', kind: 'Namespace', namespace: '', name });
      const before = find(world, target);
      if (before === undefined) throw notFound(target.kind, name);
      update(world, { ...target, subresource: 'finalize' }, { before, given: { ...before, spec: {} }, write });
    },
    subscribe: (listener) => store.subscribe(({ type, object }: Change) => listener({ type, object: toKube(object) })),
  };
}

function kindOf({ kinds }: ServerContext, apiVersion: string, name: string): Kind {
  const kind = kinds.ofKind(apiVersion, name);
  if (kind === undefined) throw noResource();
  return kind;
}

function targetOf(world: ServerContext, { apiVersion, kind: name, namespace, name: called }: ObjectRef): Target {
  const kind = kindOf(world, apiVersion, name);
  return { kind, namespace: kind.namespaced ? namespace : '', name: called, subresource: '', watch: false };
}

function refOf({ apiVersion, kind, metadata }: KubeObject): ObjectRef {
  return { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name };
}

/** The objects of callers and JSON are the same values under two types. */
function toJson(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}

function toKube(object: JsonObject): KubeObject {
  return object as unknown as KubeObject;
}
