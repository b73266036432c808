import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { TracedChange } from '../../../packages/controller/testing/trace.ts';

/** A change as a watch reported it. `seen` numbers it among all that happened in its run. */
export interface SeenChange {
  readonly seen: number;
  readonly type: TracedChange['type'];
  readonly object: KubeObject;
  readonly before?: KubeObject;
}

/** What the watches reported of one namespace, or of the two of a run. */
export interface NamespaceLog {
  /** In the order of the API server's versions for each kind; between kinds as the watches reported them. */
  readonly changes: SeenChange[];
  /** Every object as it is now. */
  objects(): readonly KubeObject[];
  note(type: TracedChange['type'], object: KubeObject): void;
  /** Milliseconds since the last change. */
  quietMs(): number;
}

/** Collects what happens; `tick` numbers it. */
export function createNamespaceLog(tick: () => number, onChange: (change: SeenChange) => void): NamespaceLog {
  const changes: SeenChange[] = [];
  const objects = new Map<string, KubeObject>();
  let last = performance.now();
  return {
    changes,
    objects: () => [...objects.values()],
    note: (type, object) => {
      // Every namespace has one, and it is nobody's concern.
      if (object.metadata.name === 'kube-root-ca.crt') return;
      // That it is there a run may have missed, for it begins in it.
      if (object.kind === 'Namespace' && type !== 'DELETED' && object.metadata.deletionTimestamp === undefined) return;
      last = performance.now();
      const key = `${object.kind} ${object.metadata.namespace ?? ''} ${object.metadata.name}`;
      const before = objects.get(key);
      if (type === 'DELETED') objects.delete(key);
      else objects.set(key, object);
      const change = { seen: tick(), type, object, ...(before !== undefined && { before }) };
      changes.push(change);
      onChange(change);
    },
    quietMs: () => performance.now() - last,
  };
}
