import type { JsonObject } from '../json.ts';

/** Where an object is kept: all versions of a kind have one resource, `deployments.apps`. */
export interface Place {
  readonly resource: string;
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** One write, as everybody who listens is told of it. */
export interface Change extends Place {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  /** A deleted one carries the revision of its deletion. */
  readonly object: JsonObject;
  readonly before: JsonObject | undefined;
}
