import type { ChainPage, LogReader } from '../../controller/domain/event-log.ts';
import { hashOf, keptOf, nothing } from './chain.ts';

/** One place where the log differs from what was written. */
export interface Break {
  readonly seq: number;
  readonly what: string;
}

/** What `verify` found. */
export interface Verdict {
  /** The log is what was written: there are no breaks. */
  readonly whole: boolean;
  /** The number of events in the chain that are there. */
  readonly events: number;
  /** The number of events that retention removed; the chain continues over them. */
  readonly letGo: number;
  /** The number of events that are older than the chain: they cannot be verified. */
  readonly older: number;
  /** The hash of the newest event: compared with a copy noted elsewhere, it shows whether the end is still there. */
  readonly head: string;
  /** The first breaks. */
  readonly breaks: readonly Break[];
}

const mostTold = 20;

/** Events read at once, each of which may have 64 KiB. */
const pageSize = 100;

/** Tries: if retention works meanwhile, what was read may not fit together and is read again. */
const tries = 3;

/**
 * Checks that the events of a log are those that were written, in their order, except for those that retention removed. It reads the whole
 * log, a page at a time, and calls `onPage` after each with the number of its events.
 */
export async function verify(
  log: Pick<LogReader, 'chain'>,
  onPage: (events: number) => void = () => {},
): Promise<Verdict> {
  for (let left = tries; ; left -= 1) {
    const before = await log.chain(0, 1);
    const verdict = await walk(log, before.head.hash, onPage);
    const { head } = await log.chain(0, 1);
    if (verdict.whole || left === 1 || head.gone === before.head.gone) return verdict;
  }
}

async function walk(log: Pick<LogReader, 'chain'>, head: string, onPage: (events: number) => void): Promise<Verdict> {
  const check = createCheck(head);
  for (let [after, isOver] = [0, false]; !isOver; ) {
    const page = await log.chain(after, pageSize);
    for (const one of inOrder(page)) check.next(one);
    onPage(page.events.length);
    after = page.events.at(-1)?.event.seq ?? after;
    isOver = page.events.length < pageSize;
  }
  return check.end();
}

/** Takes the elements of a chain in their order. */
function createCheck(head: string): { next(one: Element): void; end(): Verdict } {
  const counts = { events: 0, letGo: 0, older: 0 };
  const state = { at: nothing, hasBegun: false, hasMet: head === nothing, last: 0 };
  const breaks: Break[] = [];
  const breakAt = (seq: number, what: string): void => {
    if (breaks.length < mostTold) breaks.push({ seq, what });
  };
  const step = (seq: number, { previous, hash }: Hashes): void => {
    if (previous !== state.at) breakAt(seq, 'what was before it was taken out, changed or put in');
    state.at = hash;
    state.hasBegun = true;
    state.hasMet ||= hash === head;
  };
  const unchained = (seq: number): void => {
    if (state.hasBegun) breakAt(seq, 'it is not in the chain: it was put in');
    else counts.older += 1;
  };
  const event = ({ event: one, previous, hash }: ChainPage['events'][number]): void => {
    state.last = one.seq;
    if (hash === null || previous === null) return void unchained(one.seq);
    step(one.seq, { previous, hash });
    if (hashOf(previous, keptOf(one)) !== hash) breakAt(one.seq, 'it was changed');
    counts.events += 1;
  };
  return {
    next: (one) => {
      if ('event' in one) return event(one);
      step(one.first, one);
      counts.letGo += one.events;
    },
    end: () => {
      if (!state.hasMet) breakAt(state.last, 'what came after it was taken out');
      return { whole: breaks.length === 0, ...counts, head, breaks };
    },
  };
}

interface Hashes {
  readonly previous: string;
  readonly hash: string;
}

type Element = ChainPage['events'][number] | ChainPage['letGo'][number];

function inOrder({ events, letGo }: ChainPage): readonly Element[] {
  const placeOf = (one: Element): number => ('first' in one ? one.first : one.event.seq);
  return [...events, ...letGo].sort((one, other) => placeOf(one) - placeOf(other));
}
