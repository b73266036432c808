import type { JsonObject } from '../json.ts';

/** The place of an object in the store: all versions of a kind have one resource, `deployments.apps`. */
export interface Place {
  readonly resource: string;
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** One write, as listeners get it. */
export interface Change extends Place {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  /** A deleted object carries the revision of its deletion. */
  readonly object: JsonObject;
  readonly before: JsonObject | undefined;
}
