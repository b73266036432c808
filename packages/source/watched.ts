import { groupOf } from '../controller/domain/kube-object.ts';
import type { LooksAt } from '../controller/domain/looks-at.ts';
import { guessedPlural, versionPath } from '../controller/domain/plural.ts';
import type { Watched } from './collection.ts';

/** What a source is asked to watch, in the words of an ApiServerSource. */
export interface WatchWish {
  /** `Reference`: names alone. */
  readonly mode: 'Resource' | 'Reference';
  readonly resources: readonly { readonly apiVersion: string; readonly kind: string; readonly selector: string }[];
}

export interface Watching {
  /** What functions look at in the status of each kind, as `group/Kind`; of a kind that is not there: nothing. */
  readonly looksAt: Readonly<Record<string, LooksAt>>;
  /** Empty: all. */
  readonly namespaces: readonly string[];
}

/** The collections of these wishes: one for each kind, selection and namespace. */
export function watchedOf(wishes: readonly WatchWish[], { namespaces, looksAt }: Watching): readonly Watched[] {
  const places = namespaces.length === 0 ? [''] : namespaces;
  return wishes.flatMap(({ mode, resources }) =>
    resources.flatMap(({ apiVersion, kind, selector }) =>
      places.map((namespace) => ({
        ...{ apiVersion, kind, namespace, selector, metadataOnly: mode === 'Reference' },
        looksAt: looksAt[`${groupOf(apiVersion)}/${kind}`] ?? [],
        path: `${versionPath(apiVersion)}${namespace === '' ? '' : `/namespaces/${namespace}`}/${guessedPlural(kind)}`,
      })),
    ),
  );
}
