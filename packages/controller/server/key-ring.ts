import type { CryptoKey, JSONWebKeySet, JWTHeaderParameters } from 'jose';

/** The key that the header of a token names, if there is one. */
export type KeyRing = (header: JWTHeaderParameters) => Promise<CryptoKey | undefined>;

export interface KeyRingParts {
  /** Asks for the keys, as RFC 7517 writes them. */
  readonly read: () => Promise<readonly unknown[]>;
  /** Finds one of them; fails where the ring has no such key. */
  readonly finderIn: (keys: JSONWebKeySet) => (header: JWTHeaderParameters) => Promise<CryptoKey>;
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number;
}

/** Milliseconds. A revoked key is trusted for at most this long. */
const oldest = 600_000;
/** An unknown key makes the ring read all keys at most this often, for every forged token can name one. */
const pause = 10_000;
/** The pause after a read that failed. */
const pauseAfterFailure = 1_000;

/**
 * Finds the key of a token. The keys are read when they are first needed, when they are old, and when none of them is
 * the one, but never twice within a pause. Old ones are kept while they cannot be read; fails only where there are none.
 */
export function createKeyRing({ read, finderIn, elapsed }: KeyRingParts): KeyRing {
  let keyOf = finderIn({ keys: [] });
  let readAt = Number.NEGATIVE_INFINITY;
  let nextAt = Number.NEGATIVE_INFINITY;
  let failure: { readonly error: unknown } | undefined;
  let reading: Promise<void> | undefined;
  const readAnew = async (): Promise<void> => {
    try {
      keyOf = finderIn({ keys: (await read()).filter(isObject) });
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
  const refresh = async (): Promise<void> => {
    if (elapsed() >= nextAt) reading ??= readAnew();
    await reading;
  };
  // A key of a sort that the library does not take counts as none: tokens signed with it are refused.
  const find = (header: JWTHeaderParameters): Promise<CryptoKey | undefined> => keyOf(header).catch(() => undefined);
  return async (header) => {
    if (elapsed() - readAt >= oldest) await refresh();
    const known = await find(header);
    if (known !== undefined) return known;
    await refresh();
    const key = await find(header);
    if (key === undefined && failure !== undefined) throw failure.error;
    return key;
  };
}

function isObject(entry: unknown): entry is JSONWebKeySet['keys'][number] {
  return typeof entry === 'object' && entry !== null && !Array.isArray(entry);
}
