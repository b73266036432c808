import { KnudgeError } from '../../../packages/controller/domain/errors.ts';
import { describe, type KubeObject, type ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import type { Precondition } from '../../../packages/controller/domain/plan.ts';
import { type Fields, same, type Written } from './fields.ts';
import { fieldsOf, hasGeneration, validate } from './rules.ts';

/** What the API server itself keeps about an object. */
export interface System {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly generation?: number;
  readonly deletionTimestamp?: string;
}

export interface Stored extends Written {
  readonly ref: ObjectRef;
  readonly system: System;
}

export interface Store {
  find(ref: ObjectRef): Stored | undefined;
  all(): readonly Stored[];
  /** Throws `gone` if there is none, `conflict` if it is not what the precondition says. */
  insistOn(ref: ObjectRef, precondition: Precondition): Stored;
  insert(ref: ObjectRef, written: Written, uid?: string): Stored;
  /** A new version if anything changed; an object that is being deleted goes with its last finalizer. */
  change(before: Stored, written: Written): Stored;
  /** Marks what has finalizers, takes away what has none. */
  remove(before: Stored): void;
}

/** Objects by name, with uid, version, generation, finalizers and deletion as the API server has them. */
export function createStore(now: () => string): Store {
  const objects = new Map<string, Stored>();
  let versions = 0;
  let uids = 0;
  const nextVersion = () => String(++versions);
  const keep = (stored: Stored) => {
    objects.set(keyOf(stored.ref), stored);
    return stored;
  };
  const find = (ref: ObjectRef) => objects.get(keyOf(ref));

  return {
    find,
    all: () => [...objects.values()].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)),
    insistOn: (ref, { uid, resourceVersion }) => {
      const stored = find(ref);
      if (stored === undefined) throw new KnudgeError('gone', `${describe(ref)} is gone`);
      if (stored.system.uid !== uid || stored.system.resourceVersion !== resourceVersion) {
        throw new KnudgeError('conflict', `${describe(ref)} is not what it was when it was read`);
      }
      return stored;
    },
    insert: (ref, written, uid = `00000000-0000-4000-8000-${String(++uids).padStart(12, '0')}`) => {
      const system = { uid, resourceVersion: nextVersion(), creationTimestamp: now() };
      const stored = { ref, ...written, system: hasGeneration(ref.kind) ? { ...system, generation: 1 } : system };
      validate(toObject(stored), undefined, stored.fields);
      return keep(stored);
    },
    change: (before, written) => {
      if (same(before.fields, written.fields) && same(ownersOf(before), ownersOf(written))) return before;
      const generation = before.system.generation;
      const isNewSpec = generation !== undefined && !same(specOf(before.fields), specOf(written.fields));
      const system = {
        ...before.system,
        ...(isNewSpec && { generation: generation + 1 }),
        resourceVersion: nextVersion(),
      };
      const after = { ...before, ...written, system };
      validate(toObject(after), before.fields, after.fields);
      if (system.deletionTimestamp === undefined || finalizersOf(after).length > 0) return keep(after);
      objects.delete(keyOf(after.ref));
      return after;
    },
    remove: (before) => {
      if (finalizersOf(before).length === 0) {
        objects.delete(keyOf(before.ref));
        return;
      }
      if (before.system.deletionTimestamp !== undefined) return;
      const { generation } = before.system;
      const counted = generation === undefined ? {} : { generation: generation + 1 };
      const system = { ...before.system, ...counted, deletionTimestamp: now(), resourceVersion: nextVersion() };
      keep({ ...before, system });
    },
  };
}

/** The object as it is handed out: a copy. */
export function toObject({ ref, fields, system, owners }: Stored): KubeObject {
  const { metadata, ...rest } = structuredClone(fields);
  const managedFields = [...owners.keys()].map((owner) => {
    const [manager = '', operation = '', subresource] = owner.split(' ');
    return subresource === undefined ? { manager, operation } : { manager, operation, subresource };
  });
  const namespace = ref.namespace === '' ? {} : { namespace: ref.namespace };
  const named = { name: ref.name, ...namespace, ...fieldsOf(metadata), ...system, managedFields };
  return { apiVersion: ref.apiVersion, kind: ref.kind, metadata: named, ...rest };
}

/** The object of a read that asks for no more. */
export function metadataOf(object: KubeObject | undefined): KubeObject | undefined {
  return object && { apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata };
}

/** What of an object its writers decide: all but name and what the API server keeps. */
export function toFields(object: KubeObject): Fields {
  const { apiVersion: _, kind: __, metadata, ...rest } = structuredClone(object);
  const { labels, annotations, ownerReferences, finalizers } = metadata;
  const own = Object.entries({ labels, annotations, ownerReferences, finalizers });
  return { metadata: Object.fromEntries(own.filter(([, value]) => value !== undefined)), ...rest };
}

export function finalizersOf({ fields }: Written): readonly string[] {
  const { finalizers } = fieldsOf(fields['metadata']);
  return Array.isArray(finalizers) ? finalizers.map(String) : [];
}

/** Those owners of the object that are named by uid. */
export function ownerUidsOf(stored: Stored): readonly string[] {
  return (toObject(stored).metadata.ownerReferences ?? []).map(({ uid }) => uid);
}

function specOf({ metadata: _, status: __, ...spec }: Fields): Fields {
  return spec;
}

function ownersOf({ owners }: Written): Fields {
  return Object.fromEntries([...owners].map(([owner, paths]) => [owner, [...paths].sort()]));
}

/** Kinds are stored by group: every served version shows the same object. */
function keyOf({ apiVersion, kind, namespace, name }: ObjectRef): string {
  return JSON.stringify([apiVersion.split('/').slice(0, -1), kind, namespace, name]);
}

function sortKey({ ref }: Stored): string {
  return `${ref.namespace}/${ref.name}`;
}
