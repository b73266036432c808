import { isObject, type Json, type JsonObject, objectAt } from '../json.ts';
import { apiVersionOf, type Kind } from '../schema/kind.ts';
import { difference, hasPath, isEmpty, type Path, setOf } from './field-set.ts';
import { type Manager, managersOf, withManagers } from './managers.ts';
import { fieldElement } from './path-element.ts';

const replicas = { type: 'integer' } as const;
const replicasOfScale: Path = ['f:spec', 'f:replicas'];

/** The kind of object that every `/scale` reads and writes. */
export const scaleKind: Kind = {
  group: 'autoscaling',
  version: 'v1',
  storageVersion: 'v1',
  kind: 'Scale',
  plural: 'scale',
  singular: 'scale',
  shortNames: [],
  categories: [],
  namespaced: true,
  hasStatus: false,
  columns: [],
  custom: false,
  schema: {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    properties: {
      spec: { type: 'object', default: {}, properties: { replicas } },
      status: { type: 'object', default: {}, properties: { replicas, selector: { type: 'string' } } },
    },
  },
};

/** The Scale of an object as far as ownership goes: the owner of its replicas owns them here in autoscaling/v1. */
export function toScale(kind: Kind, object: JsonObject): JsonObject {
  const count = replicasPath(kind).reduce<Json | undefined>((value, key) => objectAt(value)[key], object);
  const { name, namespace, uid } = objectAt(object, 'metadata');
  const metadata = { ...(name !== undefined && { name }), ...(namespace !== undefined && { namespace }) };
  const scale: JsonObject = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { ...metadata, ...(uid !== undefined && { uid }) },
    // A count of 0 is left out, as Go does.
    spec: typeof count === 'number' && count !== 0 ? { replicas: count } : {},
  };
  const owners = [...(managersOf(object) ?? [])].filter(([, { fields }]) => hasPath(fields, ownedPath(kind)));
  return withManagers(scale, new Map(owners.map(([id, owner]) => [id, inScale(owner)])));
}

/**
 * The object with the replicas and owners of its Scale. A manager that only wrote to the object loses the replicas to
 * an entry of its own, even if nothing changed: an update is identified by its version, and that was another in the
 * Scale (measured on kube-apiserver 1.35).
 */
export function fromScale(kind: Kind, object: JsonObject, scale: JsonObject): JsonObject {
  const path = setOf([ownedPath(kind)]);
  const left = new Map(managersOf(scale));
  const result = new Map<string, Manager>();
  for (const [id, manager] of managersOf(object) ?? []) {
    const isTaken = hasPath(manager.fields, ownedPath(kind)) && !left.has(id);
    const fields = isTaken ? difference(manager.fields, path) : manager.fields;
    if (!isEmpty(fields)) result.set(id, { ...manager, fields });
    if (hasPath(manager.fields, ownedPath(kind))) left.delete(id);
  }
  for (const [id, { time: _, ...owner }] of left) {
    if (hasPath(owner.fields, replicasOfScale))
      result.set(id, { ...owner, apiVersion: apiVersionOf(kind), fields: path });
  }
  const count = objectAt(scale, 'spec')['replicas'] ?? 0;
  return withManagers(withValue(object, replicasPath(kind), count), result);
}

function inScale(owner: Manager): Manager {
  return { ...owner, apiVersion: 'autoscaling/v1', fields: setOf([replicasOfScale]) };
}

function replicasPath({ scale }: Kind): readonly string[] {
  return (scale?.spec ?? '.spec.replicas').split('.').slice(1);
}

function ownedPath(kind: Kind): Path {
  return replicasPath(kind).map(fieldElement);
}

function withValue(object: JsonObject, [key, ...rest]: readonly string[], value: Json): JsonObject {
  if (key === undefined) return object;
  const child = Object.hasOwn(object, key) ? object[key] : undefined;
  return { ...object, [key]: rest.length === 0 ? value : withValue(isObject(child) ? child : {}, rest, value) };
}
