/** What was added last, `most` of it; the oldest goes first. */
export interface Recent<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

/** A cache of objects that live on for long: one that is kept for each of them would hold more memory than they do. */
export function createRecent<Key, Value>(most: number): Recent<Key, Value> {
  const values = new Map<Key, Value>();
  return {
    get: (key) => values.get(key),
    set: (key, value) => {
      // A map is in the order in which its keys came.
      values.delete(key);
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > most && oldest !== undefined) values.delete(oldest);
    },
  };
}
