import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A resource that is not what its CRD wants, and what must become of it. */
export interface MalformedResource {
  /** A sentence; no two are the same. */
  readonly name: string;
  /** `DistributedService v1 shop`: the good object that it was made from. */
  readonly base: string;
  /** The bad object, whose name is to be replaced unless the name is what is bad. */
  readonly object: Fields;
  readonly expected: Expected;
  /** The path of the field that is bad; those with the same belong together. */
  readonly field: string;
}

export type Expected =
  /** Refused with 400 or 422 and a message that holds one of these texts. */
  | { readonly is: 'refused'; readonly naming: readonly string[] }
  /** The API server reads it as if the bad field were not there: this object. */
  | { readonly is: 'absent'; readonly as: Fields }
  /** Refused where the sender wants to hear of unknown fields, and otherwise stored without them, as the good object. */
  | { readonly is: 'pruned'; readonly naming: readonly string[] };

/** A good object that bad ones are made from. */
export interface Base {
  readonly name: string;
  readonly kind: 'DistributedService' | 'Message';
  readonly object: KubeObject & Fields;
}

/** A place in an object: names of fields and numbers of items. */
export type Path = readonly (string | number)[];

/** As the API server writes it: `spec.backends.endpoints[0].host`. */
export function pathText(path: Path): string {
  return path.map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${step}`)).join('');
}

/** What stands at a place; undefined where nothing does. */
export function valueAt(object: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (found, step) =>
      typeof found === 'object' && found !== null ? (found as Record<string | number, unknown>)[step] : undefined,
    object,
  );
}

/** A copy with another value at a place; undefined takes away what is there. */
export function withValue(object: Fields, path: Path, value: unknown): Fields {
  const copy = structuredClone(object) as Record<string | number, unknown>;
  let at = copy;
  for (const step of path.slice(0, -1)) {
    at[step] ??= {};
    at = at[step] as Record<string | number, unknown>;
  }
  const last = path.at(-1) ?? '';
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}
