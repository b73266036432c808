import type { KubeObject, ObjectRef } from '../domain/kube-object.ts';

/** A person with kubectl. On the embedded API and on the real one; every method fails if the API server refuses. */
export interface User {
  get(ref: ObjectRef): Promise<KubeObject | undefined>;
  list(query: Pick<ObjectRef, 'apiVersion' | 'kind'>): Promise<readonly KubeObject[]>;
  create(object: KubeObject): Promise<KubeObject>;
  /** A JSON merge patch. */
  patch(ref: ObjectRef, change: Readonly<Record<string, unknown>>): Promise<KubeObject>;
  delete(ref: ObjectRef, propagation?: 'Background' | 'Foreground' | 'Orphan'): Promise<void>;
  /** Waits until all that follows from what was done has come to rest, as far as the faults allow. */
  rest(): Promise<void>;
  /** Waits some resyncs long until the object is gone, also if another has its name by then; then the faults end, and it must go. */
  gone(ref: ObjectRef): Promise<void>;
  /** Waits for a tick of the resync and all that follows. */
  resync(): Promise<void>;
}

/**
 * A program of somebody else that answers a change, a second later and under a field manager of its own: gives a JSON merge patch
 * of the object that has changed. `ms` is the time since the scenario began. In the simulator alone.
 */
export type Rival = (change: {
  readonly type: string;
  readonly object: KubeObject;
  readonly ms: number;
}) => object | undefined;

/** What a person wants cannot be done: the API server says no, or there is nothing left to do it to. */
export class Refused extends Error {}
