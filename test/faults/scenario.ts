import type { KubeObject, ObjectRef } from '../../packages/controller/domain/kube-object.ts';

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
  /** Waits until there is none, some resyncs long; then the faults end, and it must go. */
  gone(ref: ObjectRef): Promise<void>;
  /** Waits for a tick of the resync and all that follows. */
  resync(): Promise<void>;
}

/** The places of a run: on the real API server each run has a namespace of its own. */
export interface Place {
  readonly namespace: string;
  /** The namespace of the controller. */
  readonly controller: string;
}

/** Lets so many days pass, once all has come to rest. */
export type Pass = (days: number) => Promise<void>;

/**
 * A program of somebody else that answers a change, a second later and under a field manager of its own: gives a JSON merge patch
 * of the object that has changed. `ms` is the time since the scenario began. In the simulator alone.
 */
export type Rival = (change: {
  readonly type: string;
  readonly object: KubeObject;
  readonly ms: number;
}) => object | undefined;

/** Something that happens in a cluster, and what it concerns. */
export interface Scenario {
  /** In words, with dashes: `create`, `drift-of-the-deployment`. */
  readonly name: string;
  /** What is there before, all at rest: Knudge has made it right without faults. */
  readonly given: (place: Place) => readonly KubeObject[];
  /** More that has to happen before, after which all comes to rest again. */
  readonly before?: (user: User, place: Place, pass: Pass) => Promise<void>;
  /** What a person does; all the faults come after it began. */
  readonly when: (user: User, place: Place) => Promise<void>;
  /** Days that pass before: for certificates that come of age. */
  readonly days?: number;
  readonly parents: (place: Place) => readonly ObjectRef[];
  readonly rival?: Rival;
  /** Where the faults hit both: `faults: 'pairs'`. */
  readonly pairs?: true;
}

/** What a person wants cannot be done: the API server says no, or there is nothing left to do it to. */
export class Refused extends Error {}
