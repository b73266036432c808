import { eventFor } from '../../packages/controller/cluster/event.ts';
import { preconditionOf } from '../../packages/controller/decide/children.ts';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import type { FieldPath, KubeObject, ObjectRef } from '../../packages/controller/domain/kube-object.ts';
import { describe, refOf } from '../../packages/controller/domain/kube-object.ts';
import type { Notice, Nudge, Precondition } from '../../packages/controller/domain/plan.ts';
import type { Reader, Writer } from '../../packages/controller/domain/ports.ts';
import { applyFields, type Fields, ownedAlone, updateFields, type Written } from './memory/fields.ts';
import { collectGarbage, foregroundFinalizer } from './memory/garbage.ts';
import { fieldsOf, hasStatus, selection } from './memory/rules.ts';
import { createStore, finalizersOf, metadataOf, type Store, type Stored, toFields, toObject } from './memory/store.ts';

/** One call of a port, as it was asked for. */
export interface MemoryCall {
  readonly verb: keyof Reader | keyof Writer;
  readonly ref: ObjectRef;
  /** What create and apply were to write. */
  readonly object?: KubeObject;
  readonly precondition?: Precondition;
  readonly notice?: Notice;
  readonly nudge?: Nudge;
}

/** Runs around each call and may wait, change the cluster or throw. */
type Hook = (call: MemoryCall) => unknown;

export interface MemoryCluster extends Reader, Writer {
  /** Every object but Events, sorted by namespace and name. */
  objects(): readonly KubeObject[];
  /**
   * Creates or replaces, as a user with `kubectl replace` would: the generation follows the spec. Status and finalizers
   * stay where the object says nothing of them, so that builders can be put again; `finalizers: []` strips them.
   */
  put(object: KubeObject): KubeObject;
  /** Deletes, as a user would: what has finalizers is only marked. */
  remove(ref: ObjectRef): void;
  /** What the garbage collector would do by and by: dependents of owners that are gone, foreground deletions. */
  collectGarbage(): void;
  readonly calls: readonly MemoryCall[];
  /** Before the effect: what it throws is the answer, and nothing happened. */
  before: Hook | undefined;
  /** After the effect: what it throws is the answer although it happened (a lost answer). */
  after: Hook | undefined;
}

interface MemoryOptions {
  /** If absent, every namespace exists. */
  readonly namespaces?: readonly string[];
  readonly now?: () => string;
}

const [posted, applied, appliedStatus, user] = ['knudge Update', 'knudge Apply', 'knudge Apply status', 'user Update'];
const pods = { apiVersion: 'v1', kind: 'Pod', name: '' } as const;
const nothing: Written = { fields: {}, owners: new Map() };

/** A small cluster in memory with the semantics of the ports; `test/same` holds it to the real API server. */
export function memoryCluster({ namespaces, now = () => '2026-01-01T00:00:00Z' }: MemoryOptions = {}): MemoryCluster {
  const store = createStore(now);
  const calls: MemoryCall[] = [];
  const cluster: MemoryCluster = {
    before: undefined,
    after: undefined,
    calls,
    objects: () =>
      store
        .all()
        .filter(({ ref }) => ref.kind !== 'Event')
        .map(toObject),
    put: (object) => put(store, object),
    remove: (ref) => {
      const stored = store.find(ref);
      if (stored !== undefined) store.remove(stored);
    },
    collectGarbage: () => collectGarbage(store),

    get: (ref) => run({ verb: 'get', ref }, () => objectAt(store, ref)),
    getMetadata: (ref) => run({ verb: 'getMetadata', ref }, () => metadataOf(objectAt(store, ref))),
    list: (query) => run({ verb: 'list', ref: { ...query, name: '' } }, () => listed(store, query)),
    create: (object) => run({ verb: 'create', ref: refOf(object), object }, () => create(object)),
    apply: (object, live, strays = []) => {
      const call = { verb: 'apply', ref: refOf(object), object, precondition: preconditionOf(live) } as const;
      return run(call, () => apply(store, call, strays));
    },
    delete: (ref, precondition, propagation) =>
      run({ verb: 'delete', ref, precondition }, () => {
        const stored = store.insistOn(ref, precondition);
        const waiting = [...finalizersOf(stored), foregroundFinalizer];
        store.remove(
          propagation === 'Foreground'
            ? store.change(stored, updateFields(stored, withFinalizers(stored, waiting), posted))
            : stored,
        );
      }),
    scale: (ref, precondition, replicas) =>
      run({ verb: 'scale', ref, precondition }, () => {
        const stored = store.insistOn(ref, precondition);
        if (replicas < 0) throw new KnudgeError('invalid-object', `${describe(ref)}: replicas must not be below 0`);
        store.change(stored, updateFields(stored, withReplicas(stored, replicas), `${posted} scale`));
      }),
    finalizers: (ref, precondition, finalizers) =>
      run({ verb: 'finalizers', ref, precondition }, () => {
        const stored = store.insistOn(ref, precondition);
        const isNew = finalizers.some((finalizer) => !finalizersOf(stored).includes(finalizer));
        if (isNew && stored.system.deletionTimestamp !== undefined) {
          throw new KnudgeError('invalid-object', `${describe(ref)} is being deleted: it takes no new finalizers`);
        }
        return toObject(store.change(stored, updateFields(stored, withFinalizers(stored, finalizers), posted)));
      }),
    status: (ref, precondition, status) =>
      run({ verb: 'status', ref, precondition }, () => {
        const stored = store.insistOn(ref, precondition);
        return toObject(store.change(stored, applyFields(stored, { status: structuredClone(status) }, appliedStatus)));
      }),
    notice: (about, notice) =>
      run({ verb: 'notice', ref: refOf(about), notice }, () => {
        const event = eventFor(about, notice, { now: now(), instance: 'memory' });
        if (store.find(refOf(event)) === undefined) create(event);
      }),
    nudge: (nudge) => run({ verb: 'nudge', ref: { ...pods, namespace: nudge.namespace }, nudge }, () => undefined),
  };
  return cluster;

  async function run<T>(call: MemoryCall, effect: () => T): Promise<T> {
    calls.push(call);
    await cluster.before?.(call);
    const result = effect();
    await cluster.after?.(call);
    return result;
  }

  function create(object: KubeObject): KubeObject {
    const ref = refOf(object);
    const home = store.find({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name: ref.namespace });
    if (store.find(ref) !== undefined) throw new KnudgeError('already-exists', `${describe(ref)} exists already`);
    if (home?.system.deletionTimestamp !== undefined) {
      throw new KnudgeError('namespace-terminating', `${describe(ref)}: its namespace is being deleted`);
    }
    if (ref.namespace !== '' && namespaces !== undefined && !namespaces.includes(ref.namespace)) {
      throw new KnudgeError('gone', `${describe(ref)}: there is no namespace ${ref.namespace}`);
    }
    return toObject(store.insert(ref, updateFields(nothing, withoutStatus(object), posted)));
  }
}

function put(store: Store, object: KubeObject): KubeObject {
  const stored = store.find(refOf(object));
  const fields = toFields(object);
  if (stored === undefined) {
    return toObject(store.insert(refOf(object), updateFields(nothing, fields, user), object.metadata.uid));
  }
  const kept = 'status' in stored.fields ? { status: stored.fields['status'] } : {};
  const next = { fields: { ...kept, ...fields }, owners: stored.owners };
  const finalizers = object.metadata.finalizers ?? finalizersOf(stored);
  return toObject(store.change(stored, updateFields(stored, withFinalizers(next, finalizers), user)));
}

type Applied = Required<Pick<MemoryCall, 'object' | 'precondition'>>;

function apply(store: Store, { object, precondition }: Applied, strays: readonly FieldPath[]): KubeObject {
  const stored = store.find(refOf(object));
  if (stored === undefined)
    throw new KnudgeError('conflict', `${describe(refOf(object))} is gone: it is not brought back`);
  const same = store.insistOn(refOf(object), precondition);
  // What Knudge posted counts as applied by it: the real Writer changes the operation before its first apply.
  const own = new Set([...(same.owners.get(posted) ?? []), ...(same.owners.get(applied) ?? [])]);
  const owners = new Map([...same.owners, [applied, own] as const].filter(([owner]) => owner !== posted));
  const before = ownedAlone({ fields: same.fields, owners }, strays, applied);
  return toObject(store.change(same, applyFields(before, withoutStatus(object), applied)));
}

function objectAt(store: Store, ref: ObjectRef): KubeObject | undefined {
  const stored = store.find(ref);
  return stored && { ...toObject(stored), apiVersion: ref.apiVersion };
}

function listed(store: Store, query: Parameters<Reader['list']>[0]): readonly KubeObject[] {
  return store
    .all()
    .map((stored) => ({ object: objectAt(store, { ...stored.ref, apiVersion: query.apiVersion }), ref: stored.ref }))
    .filter(({ ref }) => ref.kind === query.kind && (query.namespace === '' || ref.namespace === query.namespace))
    .flatMap(({ object }) => (object === undefined ? [] : [object]))
    .filter(selection(query));
}

function withFinalizers({ fields }: Written, finalizers: readonly string[]): Fields {
  const { finalizers: _, ...metadata } = fieldsOf(fields['metadata']);
  return { ...fields, metadata: finalizers.length === 0 ? metadata : { ...metadata, finalizers } };
}

/** A DistributedService counts its replicas in `spec.backends.replicas`, everything else in `spec.replicas`. */
function withReplicas({ ref, fields }: Stored, replicas: number): Fields {
  const spec = fieldsOf(fields['spec']);
  if (ref.kind !== 'DistributedService') return { ...fields, spec: { ...spec, replicas } };
  return { ...fields, spec: { ...spec, backends: { ...fieldsOf(spec['backends']), replicas } } };
}

function withoutStatus(object: KubeObject): Fields {
  const { status, ...fields } = toFields(object);
  return hasStatus(object.kind) ? fields : { ...fields, ...(status !== undefined && { status }) };
}
