import type { ObjectRef } from '../domain/kube-object.ts';
import type { Reader } from '../domain/ports.ts';

/** What such a wait is done with. */
export interface Settling {
  readonly reader: Pick<Reader, 'get'>;
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** All that is no function of its arguments but the network: handed in, so that a test can be the world. */
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
