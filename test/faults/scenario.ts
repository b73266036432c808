import type { KubeObject, ObjectRef } from '../../packages/controller/domain/kube-object.ts';
import type { Rival, User } from '../../packages/controller/testing/user.ts';

/** The places of a run: on the real API server each run has a namespace of its own. */
export interface Place {
  readonly namespace: string;
  /** The namespace of the controller. */
  readonly controller: string;
}

/** Lets this many days pass, once all has come to rest. */
export type Pass = (days: number) => Promise<void>;

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
