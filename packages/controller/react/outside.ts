import type { ObjectRef } from '../domain/kube-object.ts';
import type { Reader } from '../domain/ports.ts';

/** What `settle` of `Outside` uses: it reads objects, and waits by a clock. */
export interface Settling {
  readonly reader: Pick<Reader, 'get'>;
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * Time, timers, chance, and the wait for programs beside the API server. A process hands in those of its machine, a test its own, so that
 * the test decides what time it is and what chance brings. The network is handed in apart, as the cluster.
 */
export interface Outside {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  elapsed(): number;
  /** Runs a task once, after this many milliseconds; gives the way to take that back. */
  after(ms: number, task: () => void): () => void;
  /** From 0 to less than 1. */
  random(): number;
  /**
   * Waits until a program outside of the API server has done what this object told it to, a few seconds at most: no event comes of that.
   * If absent, there is no such program.
   */
  readonly settle?: (ref: ObjectRef, at: Settling) => Promise<void>;
}

/** Resolves after this many milliseconds. */
export function sleep(ms: number, { after }: Pick<Outside, 'after'>): Promise<void> {
  return new Promise((resolve) => void after(ms, resolve));
}
