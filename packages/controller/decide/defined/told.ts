import type { Condition } from '../../domain/conditions.ts';
import type { KubeObject } from '../../domain/kube-object.ts';

/** What the engine writes into the status of every defined resource: its CRD must have these fields. */
export interface ToldStatus {
  /** The generation of the spec that the status speaks of. */
  readonly observedGeneration?: number;
  /** How many objects were made in a row in the place of a child that may not be changed. */
  readonly attempts?: number;
  /** When the last of them was made; absent while the next is on its way. */
  readonly lastAttempt?: string;
  readonly conditions?: readonly Condition[];
}

/** An owner whose status the engine has written. */
export interface Told extends KubeObject {
  readonly status?: ToldStatus;
}
