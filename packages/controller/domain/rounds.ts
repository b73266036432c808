/** What is kept of resyncs, in milliseconds since 1970. */
export interface ResyncMarks {
  /** Since when every parent has been asked after: when the last round began that is through. */
  readonly whole?: number;
  /** The last resync that a restart of a source asked for: when it began, and which event it was. */
  readonly restart?: { readonly began: number; readonly by: string };
  /** The round that is under way. */
  readonly round?: Round;
}

/** A round of the resync: what is true of it stands in the Lease, whatever an event says. */
export interface Round {
  /** The id of the event that began it. */
  readonly id: string;
  /** What its continuation must show: nobody else knows it, and who begins a step anew has another. */
  readonly key: string;
  /** The key of the step before, which the event of this one shows: it may come again. Empty at the first. */
  readonly before: string;
  /** When it began and when its last invocation did, in milliseconds since 1970. */
  readonly began: number;
  readonly seen: number;
  /** How many invocations were before that one. */
  readonly step: number;
  /** How often this step has been begun. */
  readonly tries: number;
}

/** What was asked of the API server. */
export interface Cost {
  readonly reads: number;
  readonly writes: number;
}

/** Where instances agree which round is under way: there is one at a time. */
export interface Rounds {
  read(): Promise<{
    readonly round?: Round;
    /** Milliseconds since 1970, by the API server's clock. */
    readonly now: number;
    /** For a round that begins now: a text that nobody can guess. */
    readonly key: string;
    /** Has this round be the one that is under way; fails with `conflict` where somebody was faster since the reading. */
    keep(round: Round): Promise<void>;
  }>;
  /**
   * This round is no longer under way. A whole one has asked after all parents since it began, which every instance learns.
   * It writes nothing where another has taken its place.
   */
  end(round: Round, isWhole: boolean): Promise<Cost>;
}

/** Where instances agree which of them asks after all parents because a source has started anew. */
export interface Restarts {
  read(): Promise<{
    readonly marks: ResyncMarks;
    /** Milliseconds since 1970, by the API server's clock. */
    readonly now: number;
    /** Has the resync begin now, by this event; fails with `conflict` where somebody was faster since the reading. */
    take(by: string): Promise<void>;
  }>;
}

/**
 * Milliseconds without a new invocation after which nobody works on a round any more, and the next one may begin: an
 * invocation has 23 seconds, and the event of the next one some to come.
 */
export const lostMs = 30_000;

/** How often a step is begun before that: its Trigger has one retry, for an invocation that died. */
export const mostTries = 2;

/** Whether somebody may be at work on a round. What it says of later than now says nothing. */
export function isAlive({ seen }: Round, now: number): boolean {
  return seen <= now && now - seen < lostMs;
}
