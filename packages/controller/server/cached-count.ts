import { withDeadline } from './deadline.ts';

export interface CountParts<Counted> {
  readonly count: () => Promise<Counted>;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly cacheSeconds: number;
  readonly timeoutSeconds: number;
}

/**
 * A count that several callers share: made at most once in `cacheSeconds`, and undefined where it failed or took
 * longer than `timeoutSeconds`. A failure is kept as long as a success: who counts must not be hammered.
 */
export function cachedCount<Counted>({ count, now, cacheSeconds, timeoutSeconds }: CountParts<Counted>) {
  let counted: Promise<Counted | undefined> | undefined;
  let countedAt = 0;
  return (): Promise<Counted | undefined> => {
    if (counted !== undefined && now() - countedAt < cacheSeconds * 1000) return counted;
    countedAt = now();
    counted = withDeadline(attempt(count), timeoutSeconds).catch(() => undefined);
    return counted;
  };
}

/** Even where the function throws before it promises anything. */
async function attempt<Counted>(count: () => Promise<Counted>): Promise<Counted> {
  return count();
}
