import type { KubeObject, ObjectRef } from '../controller/domain/kube-object.ts';

export type { KubeObject, ObjectRef } from '../controller/domain/kube-object.ts';

/** What happened to one object, and the object as it is after that; of a deletion, as it was before. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
}

/** What a deletion insists on, and what becomes of what the deleted object owns; if absent, what kube-apiserver does. */
export interface DeleteOptions {
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  readonly uid?: string;
  readonly resourceVersion?: string;
  /** 0 removes a Pod at once, as the kubelet does when it has stopped. */
  readonly gracePeriodSeconds?: number;
}

/**
 * The API for callers in the same process: the controllers. The same checks as over HTTP, without a connection; every
 * call is synchronous and throws ApiProblem.
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
  /** Replaces the whole object; if it has a resourceVersion, only over that version. */
  update(object: KubeObject): KubeObject;
  updateStatus(object: KubeObject): KubeObject;
  delete(ref: ObjectRef, options?: DeleteOptions): void;
  /** Binds a Pod as the scheduler does: it runs on this node from now on. */
  bind(pod: ObjectRef, node: string): KubeObject;
  /** Lets a namespace go that is being deleted and is empty. */
  finalizeNamespace(name: string): void;
  /** Calls the listener after every write of every kind; returns the function that stops that. */
  subscribe(listener: (change: Change) => void): () => void;
}
