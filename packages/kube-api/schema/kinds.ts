import { builtinKinds } from '../builtin/kinds.ts';
import { knativeKinds } from '../builtin/knative.ts';
import { kindsOf } from '../crd/kinds-of.ts';
import type { JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import type { Kind } from './kind.ts';
import { apiVersionOf, groupResource } from './kind.ts';

/** Every kind that is served, in all its versions. */
export interface Kinds {
  find(resource: Pick<Kind, 'group' | 'version' | 'plural'>): Kind | undefined;
  ofKind(apiVersion: string, kind: string): Kind | undefined;
  all(): readonly Kind[];
  /** Serves the kinds of a CustomResourceDefinition, in place of those of an earlier one with that name. */
  define(crd: JsonObject): void;
  /** The name of the definition: `shops.example.com`. */
  withdraw(crdName: string): void;
}

/** Shared by every API: these values never change. */
let builtin: readonly Kind[] | undefined;

/** The built-in kinds and Knative's; a definition with the name of a kind of Knative's replaces it. */
export function createKinds(): Kinds {
  builtin ??= [...builtinKinds(), ...knativeKinds()];
  const always = builtin;
  const custom = new Map<string, readonly Kind[]>();
  let served: readonly Kind[] = always;
  const index = () => {
    const replaced = (kind: Kind) => custom.has(`${kind.plural}.${kind.group}`);
    served = [...always.filter((kind) => !replaced(kind)), ...[...custom.values()].flat()];
  };
  return {
    find: ({ group, version, plural }) =>
      served.find((kind) => kind.plural === plural && kind.version === version && kind.group === group),
    ofKind: (apiVersion, name) => served.find((kind) => kind.kind === name && apiVersionOf(kind) === apiVersion),
    all: () => served,
    define: (crd) => {
      custom.set(String(objectAt(crd, 'metadata')['name']), kindsOf(crd));
      index();
    },
    withdraw: (crdName) => {
      custom.delete(crdName);
      index();
    },
  };
}

/** The name under which the objects of a kind are stored: that of the resource, and one name for the two groups of Events. */
export function storageOf(kind: Pick<Kind, 'group' | 'plural'>): string {
  return kind.plural === 'events' && kind.group === 'events.k8s.io' ? 'events' : groupResource(kind);
}
