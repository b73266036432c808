import type { KubeObject, ObjectRef } from '../../domain/kube-object.ts';
import { bindPod } from './bind.ts';
import { convert } from './builtin/events.ts';
import type { Client } from './client.ts';
import { decode } from './conform.ts';
import { remove } from './delete.ts';
import type { JsonObject } from './json.ts';
import type { Kind } from './kind.ts';
import { storageOf } from './kinds.ts';
import type { Change } from './place.ts';
import { notFound } from './problem.ts';
import type { World } from './request.ts';
import type { Target } from './route.ts';
import { noResource } from './route.ts';
import { create, find, update } from './write.ts';

const write = { manager: 'kube-controller-manager', dryRun: false } as const;

/** The API for those in the same process. */
export function clientOf(world: World): Client {
  const { store } = world;
  const change = (object: KubeObject, subresource: string): KubeObject => {
    const target = { ...targetOf(world, refOf(object)), subresource };
    const before = find(world, target);
    if (before === undefined) throw notFound(target.kind, target.name);
    // A status is written over what was read here: to decode all of it again would cost half of the write.
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
      const wish = { dryRun: false, policy: propagation, uid, resourceVersion, grace: gracePeriodSeconds };
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

function kindOf({ kinds }: World, apiVersion: string, name: string): Kind {
  const kind = kinds.ofKind(apiVersion, name);
  if (kind === undefined) throw noResource();
  return kind;
}

function targetOf(world: World, { apiVersion, kind: name, namespace, name: called }: ObjectRef): Target {
  const kind = kindOf(world, apiVersion, name);
  return { kind, namespace: kind.namespaced ? namespace : '', name: called, subresource: '', watch: false };
}

function refOf({ apiVersion, kind, metadata }: KubeObject): ObjectRef {
  return { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name };
}

/** Objects of the port and JSON are the same values under two types. */
function toJson(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}

function toKube(object: JsonObject): KubeObject {
  return object as unknown as KubeObject;
}
