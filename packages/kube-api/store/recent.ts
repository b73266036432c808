/** A cache of the newest entries, `most` of them; the oldest goes first. */
export interface Recent<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

/** For objects that live long: a cached value for each of them would take more memory than the objects. */
export function createRecent<Key, Value>(most: number): Recent<Key, Value> {
  const values = new Map<Key, Value>();
  return {
    get: (key) => values.get(key),
    set: (key, value) => {
      // A map keeps the order in which its keys were added.
      values.delete(key);
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > most && oldest !== undefined) values.delete(oldest);
    },
  };
}
