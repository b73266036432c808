import { parseAllDocuments } from 'yaml';
import { textIfAny } from './files.ts';

/** As much of an object's YAML as the tests look at. */
export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly rules?: readonly {
    readonly resources: readonly string[];
    readonly resourceNames?: readonly string[];
    readonly verbs: readonly string[];
  }[];
  readonly roleRef?: { readonly name: string };
  readonly subjects?: readonly { readonly name: string }[];
  readonly spec?: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly subresources?: { readonly status?: unknown };
    }[];
  };
}

/** The objects of a YAML file; none where it is missing. */
export function manifest(path: string): readonly Manifest[] {
  return parseAllDocuments(textIfAny(path)).map((document) => document.toJS() as Manifest);
}
