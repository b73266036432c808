import type { Fault } from '../../../packages/controller/testing/fault.ts';

/** Something that goes wrong in a storm, while a person works. Turns and events are counted from the beginning. */
export type Trouble =
  /** At API calls: a kind of packages/controller/testing/kinds. */
  | { readonly kind: 'call'; readonly id: string; readonly fault: Fault }
  /** This many events from this one on are lost: one, or all while an adapter is down. */
  | { readonly kind: 'lose'; readonly event: number; readonly count: number }
  | { readonly kind: 'double'; readonly event: number; readonly copies: number }
  /** The event comes this many turns later: after all that happened meanwhile. */
  | { readonly kind: 'late'; readonly event: number; readonly turns: number }
  /** The event comes when all is over, whatever was deleted and made anew meanwhile. */
  | { readonly kind: 'belated'; readonly event: number }
  | TroubleOfTurn;

/** What comes with a turn, whatever call or event falls into it. */
export type TroubleOfTurn =
  /** A process dies, one of those that work at that moment. */
  | { readonly kind: 'kill'; readonly turn: number; readonly which: number }
  /** The clock of everybody: forwards time passes, backwards it is put back. */
  | { readonly kind: 'jump'; readonly turn: number; readonly by: string; readonly ms: number }
  /** Another version of the controller runs beside the one that stays. */
  | { readonly kind: 'version'; readonly turn: number; readonly turns: number }
  /** A tick of the resync comes in the middle, maybe two at once. */
  | { readonly kind: 'tick'; readonly turn: number };

/** What a trouble is counted as. */
export function nameOfTrouble(trouble: Trouble): string {
  switch (trouble.kind) {
    case 'call':
      return trouble.id;
    case 'jump':
      return `jump ${trouble.by}`;
    case 'lose':
      return trouble.count === 1 ? 'lose' : 'lose many';
    default:
      return trouble.kind;
  }
}

/** In words, for the reader of a failure. */
export function describeTrouble(trouble: Trouble): string {
  switch (trouble.kind) {
    case 'call': {
      const { match, when, times = 1 } = trouble.fault;
      return `${trouble.id} ${when} ${match.verb} of ${match.resource} no. ${match.nth}, ${times} times`;
    }
    case 'lose':
      return `event ${trouble.event} is lost${trouble.count > 1 ? `, and ${trouble.count - 1} after it` : ''}`;
    case 'double':
      return `event ${trouble.event} comes ${trouble.copies} times`;
    case 'late':
      return `event ${trouble.event} comes ${trouble.turns} turns late`;
    case 'belated':
      return `event ${trouble.event} comes when all is over`;
    case 'kill':
      return `at turn ${trouble.turn} a process dies`;
    case 'jump':
      return `at turn ${trouble.turn} the clock jumps by ${trouble.by}`;
    case 'version':
      return `from turn ${trouble.turn} on another version runs too, for ${trouble.turns} turns`;
    case 'tick':
      return `at turn ${trouble.turn} the resync ticks`;
  }
}
