/** Lets the streams of this process know that there is something new in the log. */
export interface Feed {
  /** To be called after each write; with the place of a dead letter whose state somebody has changed. */
  changed(letter?: number): void;
  /** Calls the listener at each change; gives the way to end that. */
  follow(listener: (letter?: number) => void): () => void;
}

/** A feed that nobody follows yet. */
export function createFeed(): Feed {
  const listeners = new Set<(letter?: number) => void>();
  return {
    changed: (letter) => {
      for (const listener of listeners) listener(letter);
    },
    follow: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
