import type { JsonObject } from '../../../kube-api/json.ts';
import type { Place } from '../../../kube-api/objects/place.ts';
import type { Journal } from '../../../kube-api/store/journal.ts';

/** A cluster at a moment. Its objects are values that nobody changes, so keeping one costs a list. */
export interface Snapshot {
  readonly revision: number;
  readonly objects: readonly { readonly place: Place; readonly object: JsonObject }[];
  /** Each object as it was before its last change, by its key; undefined: it was not there. */
  readonly earlier: ReadonlyMap<string, JsonObject | undefined>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A journal in memory that begins with a snapshot and can be made into the next. */
export function memoryJournal(from: Pick<Snapshot, 'revision' | 'objects'> | undefined) {
  const objects = new Map(from?.objects.map((one) => [keyOf(one.place), one]));
  let revision = from?.revision ?? 0;
  const journal: Journal = {
    load: () => ({ revision, objects: [...objects.values()] }),
    write: (change) => {
      const { type, resource, namespace, name, object } = change;
      const place = { resource, namespace, name };
      revision = change.revision;
      if (type === 'DELETED') objects.delete(keyOf(place));
      else objects.set(keyOf(place), { place, object });
    },
    close: () => undefined,
  };
  return { journal, read: () => ({ revision, objects: [...objects.values()] }) };
}

function keyOf({ resource, namespace, name }: Place): string {
  return `${resource}/${namespace}/${name}`;
}
