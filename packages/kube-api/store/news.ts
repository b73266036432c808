export interface News<Item> {
  tell(item: Item): void;
  /** Gives the way to stop listening. */
  subscribe(listener: (item: Item) => void): () => void;
}

/** Tells everybody everything in one order: what a listener causes is heard by all after what it was told. */
export function createNews<Item>(): News<Item> {
  const listeners = new Set<(item: Item) => void>();
  const waiting: Item[] = [];
  let isTelling = false;
  return {
    tell: (item) => {
      waiting.push(item);
      if (isTelling) return;
      isTelling = true;
      try {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          for (const listener of [...listeners]) listener(next);
        }
      } finally {
        isTelling = false;
      }
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
