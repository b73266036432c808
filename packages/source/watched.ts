import { groupOf } from '../controller/domain/kube-object.ts';
import type { LooksAt } from '../controller/domain/looks-at.ts';
import { guessedPlural, versionPath } from '../controller/domain/plural.ts';
import type { Watched } from './collection.ts';

/** What a source should watch, in the terms of an ApiServerSource. */
export interface WatchWish {
  /** `Reference`: only names. */
  readonly mode: 'Resource' | 'Reference';
  readonly resources: readonly { readonly apiVersion: string; readonly kind: string; readonly selector: string }[];
}

/** Where objects are watched, and for which of their changes. */
export interface Watching {
  /** The fields of the status that functions look at, by `group/Kind`; for a missing kind none. */
  readonly looksAt: Readonly<Record<string, LooksAt>>;
  /** Empty: all namespaces. */
  readonly namespaces: readonly string[];
}

/** The collections to watch: one for each kind, selection and namespace. */
export function watchedOf(wishes: readonly WatchWish[], { namespaces, looksAt }: Watching): readonly Watched[] {
  const places = namespaces.length === 0 ? [''] : namespaces;
  return wishes.flatMap(({ mode, resources }) =>
    resources.flatMap(({ apiVersion, kind, selector }) =>
      places.map((namespace) => ({
        apiVersion,
        kind,
        namespace,
        selector,
        metadataOnly: mode === 'Reference',
        looksAt: looksAt[`${groupOf(apiVersion)}/${kind}`] ?? [],
        path: `${versionPath(apiVersion)}${namespace === '' ? '' : `/namespaces/${namespace}`}/${guessedPlural(kind)}`,
      })),
    ),
  );
}
