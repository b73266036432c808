import type { Schema } from './schema.ts';

/** One kind in one served version. The versions of a kind share their objects: `storageVersion` names the stored one. */
export interface Kind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly storageVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly schema: Schema;
  /** Whether `/status` is a subresource: other writes do not change the status, and it changes nothing else. */
  readonly hasStatus: boolean;
  readonly scale?: ScalePaths;
  /** The columns of `kubectl get` after the name. */
  readonly columns: readonly Column[];
  /** Fields by which a custom resource can be selected besides its name and namespace: `spec.color`. */
  readonly selectable?: readonly string[];
  /** Whether it is a custom resource: without strategic merge patch, and with a generation that counts all but metadata and status. */
  readonly custom: boolean;
  readonly deprecation?: string;
  /** Whether its objects are questions: the server answers them and keeps none. */
  readonly isReview?: boolean;
}

/** JSON paths with a leading dot, as a CustomResourceDefinition writes them. */
export interface ScalePaths {
  readonly spec: string;
  readonly status: string;
  readonly selector?: string;
}

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown, 1 with `-o wide`. */
  readonly priority?: number;
  /** A JSON path, or for built-in kinds a key of their own cells. */
  readonly jsonPath: string;
}

/** `apps/v1`, `v1`. */
export function apiVersionOf({ group, version }: Pick<Kind, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The name that all versions of a kind share: `deployments.apps`, `pods`. */
export function groupResource({ group, plural }: Pick<Kind, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}
