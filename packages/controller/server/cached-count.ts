import { withDeadline } from './deadline.ts';

export interface CountParts {
  readonly count: () => Promise<ReadonlyMap<string, number>>;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly cacheSeconds: number;
  readonly timeoutSeconds: number;
}

/**
 * A count that several callers share: made at most once in `cacheSeconds`, and undefined where it failed or took
 * longer than `timeoutSeconds`. A failure is kept as long as a success: who counts must not be hammered.
 */
export function cachedCount({ count, now, cacheSeconds, timeoutSeconds }: CountParts) {
  let counted: Promise<ReadonlyMap<string, number> | undefined> | undefined;
  let countedAt = 0;
  return (): Promise<ReadonlyMap<string, number> | undefined> => {
    if (counted !== undefined && now() - countedAt < cacheSeconds * 1000) return counted;
    countedAt = now();
    counted = withDeadline(attempt(count), timeoutSeconds).catch(() => undefined);
    return counted;
  };
}

/** Even where the function throws before it promises anything. */
async function attempt(count: CountParts['count']): Promise<ReadonlyMap<string, number>> {
  return count();
}
