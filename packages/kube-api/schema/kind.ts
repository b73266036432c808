import type { Schema } from './schema.ts';

/** One kind in one served version. The versions of a kind share their objects: `storageVersion` names the one kept. */
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
  /** `/status` is a subresource: other writes leave status alone, it leaves the rest alone. */
  readonly hasStatus: boolean;
  readonly scale?: ScalePaths;
  /** What `kubectl get` shows after the name. */
  readonly columns: readonly Column[];
  /** Fields by which a custom resource can be selected besides its name and namespace: `spec.color`. */
  readonly selectable?: readonly string[];
  /** A custom resource: no strategic merge patch, and generation follows everything but metadata and status. */
  readonly custom: boolean;
  readonly deprecation?: string;
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

/** What all versions of a kind have in common: `deployments.apps`, `pods`. */
export function resourceOf({ group, plural }: Pick<Kind, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}
