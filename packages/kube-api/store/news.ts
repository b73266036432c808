export interface News<Item> {
  tell(item: Item): void;
  /** Returns the function that stops the listener. */
  subscribe(listener: (item: Item) => void): () => void;
}

/** Calls every listener in one order: what a listener causes comes to all of them after the item that caused it. */
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
