import type { Lifetimes } from '../../../resources/distributed-service/certificates/lifetimes.ts';
import type { AskTunnel, Issuer } from '../domain/ports.ts';

/** All that is no function of its arguments but the network: handed in, so that a test can be the world. */
export interface Outside {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  elapsed(): number;
  /** Runs a task once, after so many milliseconds; gives the way to take that back. */
  after(ms: number, task: () => void): () => void;
  /** From 0 to less than 1. */
  random(): number;
  /** The identity of a service: nobody may guess it. */
  newToken(): string;
  readonly issuer: Issuer;
  /** Absent: no Envoy is asked. */
  readonly askTunnel?: AskTunnel;
  /** How long certificates live, if not as long as they should. */
  readonly lifetimes?: Lifetimes;
}

/** Resolves after so many milliseconds. */
export function sleep(ms: number, { after }: Pick<Outside, 'after'>): Promise<void> {
  return new Promise((resolve) => void after(ms, resolve));
}
