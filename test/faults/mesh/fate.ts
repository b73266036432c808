import { seeded } from '../input/random.ts';

/** What becomes of one event on its way. */
export interface Fate {
  /** Milliseconds until each copy goes on; none: the event is lost. */
  readonly copies: readonly number[];
}

const onTime: Fate = { copies: [0] };
const longestDelayMs = 400;

/** Shares of all events, from 0 to 1; what is late is overtaken by what comes after it. */
export interface Shares {
  readonly lost: number;
  readonly doubled: number;
  readonly late: number;
}

/** The nth event about one thing. */
export interface Which {
  readonly about: string;
  readonly nth: number;
}

/**
 * The fate of an event, as the seed decides: it does not hang on what else is under way, so that
 * the same seed hits the same events on a slow machine too.
 */
export function fateOf(seed: number, { about, nth }: Which, shares: Shares): Fate {
  const { below } = seeded(mixed(`${seed} ${about} ${nth}`));
  const happens = (share: number): boolean => below(1_000_000) < share * 1_000_000;
  if (happens(shares.lost)) return { copies: [] };
  const delay = (): number => (happens(shares.late) ? 1 + below(longestDelayMs) : 0);
  const first = delay();
  if (happens(shares.doubled)) return { copies: [first, first + 1 + below(longestDelayMs)] };
  return first === 0 ? onTime : { copies: [first] };
}

/** FNV-1a, 32 bits. */
function mixed(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
