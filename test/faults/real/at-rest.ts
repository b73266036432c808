import { controllerOf, type KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { workOfSlices } from './slices-at-rest.ts';

/**
 * What the controllers of Kubernetes have still to do with these objects, in a few words; empty when they rest. What
 * waits for Knudge or for a person is no work of theirs.
 */
export function workOfControllers(objects: readonly KubeObject[]): string {
  const uids = new Set(objects.map(({ metadata }) => metadata.uid));
  const ending = objects.find(({ kind, metadata }) => kind === 'Namespace' && metadata.deletionTimestamp !== undefined);
  const isDue = (object: KubeObject) => ending !== undefined && object.metadata.deletionTimestamp === undefined;
  const busy = objects.find(
    (object) => isDue(object) || isLeaving(object, objects) || isOrphan(object, uids) || isChanging(object),
  );
  return busy === undefined
    ? workOfSlices(objects)
    : `${busy.kind} ${busy.metadata.name} in version ${busy.metadata.resourceVersion ?? ''}`;
}

/** A namespace goes when all in it has gone. */
function isLeaving({ kind, metadata }: KubeObject, objects: readonly KubeObject[]): boolean {
  const { deletionTimestamp, finalizers = [] } = metadata;
  if (deletionTimestamp === undefined) return false;
  if (kind === 'Namespace') return objects.every((object) => object.metadata.namespace !== metadata.name);
  return finalizers.every((finalizer) => ofCollector.has(finalizer));
}

const ofCollector: ReadonlySet<string> = new Set(['foregroundDeletion', 'orphan']);

/** The garbage collector deletes what has lost its owner; where somebody's finalizer holds it, that is all it can do. */
function isOrphan(object: KubeObject, uids: ReadonlySet<string | undefined>): boolean {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  const owner = controllerOf(object);
  return owner !== undefined && !uids.has(owner.uid) && (deletionTimestamp === undefined || finalizers.length === 0);
}

interface Scaled {
  readonly spec?: { readonly replicas?: number; readonly selector?: unknown };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly readyReplicas?: number;
    readonly phase?: string;
  };
}

function isChanging(object: KubeObject): boolean {
  const { metadata, status = {}, spec = {} } = object as KubeObject & Scaled;
  // A deleted owner's workloads may be stopped half-way.
  if (metadata.deletionTimestamp !== undefined) return false;
  switch (object.kind) {
    case 'Deployment': {
      const { replicas = 1 } = spec;
      const counts = [status.replicas ?? 0, status.updatedReplicas ?? 0, status.availableReplicas ?? 0];
      return status.observedGeneration !== metadata.generation || counts.some((count) => count !== replicas);
    }
    case 'ReplicaSet':
    case 'StatefulSet':
      return status.observedGeneration !== metadata.generation || (status.readyReplicas ?? 0) !== (spec.replicas ?? 1);
    case 'Pod':
      // Whether it is ready may be in a person's hand.
      return status.phase === undefined || status.phase === 'Pending';
    default:
      return false;
  }
}
