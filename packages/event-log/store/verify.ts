import type { ChainPage, LogReader } from '../../controller/domain/event-log.ts';
import { hashOf, keptOf, nothing } from './chain.ts';

/** One place where the log is not what was written. */
export interface Break {
  readonly seq: number;
  readonly what: string;
}

export interface Verdict {
  readonly whole: boolean;
  /** So many are in the chain and there. */
  readonly events: number;
  /** So many went by retention, and the chain goes on over them. */
  readonly letGo: number;
  /** So many are older than the chain: nothing says whether they are what was written. */
  readonly older: number;
  /** Of the newest: whoever notes it elsewhere sees later whether the end is still there. */
  readonly head: string;
  /** The first of them. */
  readonly breaks: readonly Break[];
}

const mostTold = 20;

/** So many events at once, each of which may have 64 KiB. */
const pageSize = 100;

/** Retention may work meanwhile, and what was read no longer fit together: then it is read again, so often. */
const tries = 3;

/** Whether the events of a log are those that were written, in their order, but for those that retention has let go. */
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
    if (state.hasBegun) breakAt(seq, 'it is in no chain: it was put in');
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
