import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

export interface KeyRingParts {
  /** Asks for the keys, as RFC 7517 writes them. */
  readonly read: () => Promise<readonly unknown[]>;
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number;
}

/** Milliseconds. A key that was taken away is gone so soon… */
const oldest = 600_000;
/** …a key that nobody knows, as every forged token can name one, is asked for so often… */
const pause = 10_000;
/** …and no answer is not asked for again at once. */
const pauseAfterFailure = 1_000;

/**
 * Finds a key by its id. The keys are read when they are first needed, when they are old, and when there is none with
 * that id, but never twice within a pause. Old ones are kept while they cannot be read; fails only where there are none.
 */
export function createKeyRing({ read, elapsed }: KeyRingParts): (keyId: string) => Promise<KeyObject | undefined> {
  let keys: ReadonlyMap<string, KeyObject> = new Map();
  let readAt = Number.NEGATIVE_INFINITY;
  let nextAt = Number.NEGATIVE_INFINITY;
  let failure: { readonly error: unknown } | undefined;
  let reading: Promise<void> | undefined;
  const refresh = async (): Promise<void> => {
    try {
      keys = keysIn(await read());
      readAt = elapsed();
      nextAt = readAt + pause;
      failure = undefined;
    } catch (error) {
      nextAt = elapsed() + pauseAfterFailure;
      failure = { error };
    } finally {
      reading = undefined;
    }
  };
  return async (keyId) => {
    const isDue = !keys.has(keyId) || elapsed() - readAt >= oldest;
    if (isDue && elapsed() >= nextAt) reading ??= refresh();
    if (isDue) await reading;
    const key = keys.get(keyId);
    if (key === undefined && failure !== undefined) throw failure.error;
    return key;
  };
}

function keysIn(list: readonly unknown[]): ReadonlyMap<string, KeyObject> {
  const keys = new Map<string, KeyObject>();
  for (const entry of list) {
    const { kid, use = 'sig' } = (entry ?? {}) as { readonly kid?: unknown; readonly use?: unknown };
    const key = typeof kid === 'string' && use === 'sig' ? keyOf(entry as JsonWebKey) : undefined;
    if (typeof kid === 'string' && key !== undefined) keys.set(kid, key);
  }
  return keys;
}

/** Nothing where it is of a sort that Node does not know: tokens signed with it are refused. */
function keyOf(key: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    return undefined;
  }
}
