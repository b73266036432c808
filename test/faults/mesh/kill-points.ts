import type { Stem } from '../../../functions/table.ts';
import type { Random } from '../input/random.ts';
import type { Place } from './call-gate.ts';

/** `term`: SIGTERM first, as a node does it; `twice`: the next process of it too, while that starts. */
export type Manner = 'kill' | 'term' | 'twice';

/** Where a function dies: at its nth call to the API server after a change that wakes it, or at its nth write. */
export interface KillPoint extends Omit<Place, 'service'> {
  /** Whom the change wakes; its process may serve others too. */
  readonly stem: Stem;
  readonly manner: Manner;
}

const manners: readonly Manner[] = ['kill', 'term', 'twice', 'kill', 'term'];

/**
 * How many calls a change is good for: an invocation that finds something to do makes at least this many. A
 * DistributedService has seven children, which are read before anything else.
 */
const reach: Readonly<Partial<Record<Stem, number>>> = { 'message-changed': 4, 'pod-changed': 3, 'resync-due': 2 };
const reachOfServices = 12;

/** This many points for each function, in rounds that hold each function once at most. */
export function killRounds(stems: readonly Stem[], each: number, random: Random): readonly (readonly KillPoint[])[] {
  const first = random.below(manners.length);
  return Array.from({ length: each }, (_, round) => {
    const order = shuffled(stems, random);
    return order.map((stem) => ({
      stem,
      // The resync only reads.
      ...(stem !== 'resync-due' && random.below(2) === 0
        ? { of: 'writes' as const, nth: 1 }
        : { of: 'calls' as const, nth: 1 + random.below(reach[stem] ?? reachOfServices) }),
      side: random.oneOf(['before', 'after'] as const),
      // Each function meets all manners, and no round is all of one.
      manner: manners[(first + round + stems.indexOf(stem)) % manners.length] ?? 'kill',
    }));
  });
}

export function sentenceOf({ stem, of, nth, side, manner }: KillPoint): string {
  return `${stem} ${side} its ${of === 'writes' ? 'write' : 'API call'} ${nth} (${manner})`;
}

function shuffled<Item>(items: readonly Item[], { below }: Random): readonly Item[] {
  const left = [...items];
  return items.flatMap(() => left.splice(below(left.length), 1));
}
