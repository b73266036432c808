import type { KubeObject } from './kube-object.ts';

/** What Knudge reads of a CustomResourceDefinition, `apiextensions.k8s.io/v1`. */
export interface CustomResourceDefinition extends KubeObject {
  readonly spec: {
    readonly group: string;
    /** `Namespaced` or `Cluster`. */
    readonly scope: string;
    readonly names: {
      readonly kind: string;
      readonly plural: string;
      readonly singular?: string;
      readonly shortNames?: readonly string[];
    };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      /** True for one version: the API server keeps objects in it. */
      readonly storage: boolean;
      readonly schema?: { readonly openAPIV3Schema: object };
      readonly subresources?: { readonly status?: unknown };
    }[];
  };
}

/** Whether an object is one; what the API server has accepted, or a test of crds/ has read, also has the fields. */
export function isDefinition(object: KubeObject): object is CustomResourceDefinition {
  return object.kind === 'CustomResourceDefinition' && 'spec' in object;
}

/** `group/version` of its objects as the API server keeps them. */
export function storedVersion({ spec: { group, versions } }: CustomResourceDefinition): string {
  return `${group}/${versions.find(({ storage }) => storage)?.name}`;
}
