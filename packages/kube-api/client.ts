import type { KubeObject, ObjectRef } from '../controller/domain/kube-object.ts';

/** What happened to one object, in the order of the writes. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
}

export interface DeleteOptions {
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  readonly uid?: string;
  readonly resourceVersion?: string;
  /** 0 ends a Pod at once: the kubelet's word that it has stopped. */
  readonly gracePeriodSeconds?: number;
}

/**
 * The API for those who live in the same process: the controllers. The same checks as over HTTP, without the wire; all
 * of it is synchronous, and throws ApiProblem.
 */
export interface Client {
  get(ref: ObjectRef): KubeObject | undefined;
  /** An empty namespace means all, an empty selector everything. */
  list(query: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace?: string;
  }): readonly KubeObject[];
  /** Every object of every kind, or of one namespace. */
  all(namespace?: string): readonly KubeObject[];
  create(object: KubeObject): KubeObject;
  /** The whole object; with its resourceVersion only if it is still that one. */
  update(object: KubeObject): KubeObject;
  updateStatus(object: KubeObject): KubeObject;
  delete(ref: ObjectRef, options?: DeleteOptions): void;
  /** What the scheduler does: the Pod runs on this node from now on. */
  bind(pod: ObjectRef, node: string): KubeObject;
  /** A namespace that is being deleted and is empty may go. */
  finalizeNamespace(name: string): void;
  /** Tells of every write of every kind, after it; gives the way to stop listening. */
  subscribe(listener: (change: Change) => void): () => void;
}
