import type { Due } from '../../../packages/controller/testing/sim/run.ts';
import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';
import { dueOf } from '../sim/source.ts';
import type { MutableTally } from './tally.ts';
import { count } from './tally.ts';
import { nameOfTrouble, type Trouble } from './trouble.ts';

/** What befalls events on their way. */
export interface Weather {
  /** See `SimulationParts`. */
  readonly fate: (event: CloudEvent) => readonly CloudEvent[];
  /** Late events whose time has come. */
  arrived(turn: number): readonly Due[];
  /** From now on each event comes once. */
  clear(): void;
  /** Those that come when all is over. */
  belated(): readonly Due[];
}

/** Counts the events and lets each meet its troubles. `turn` says how far the storm is. */
export function brewWeather(
  troubles: readonly Trouble[],
  { turn, tally }: { readonly turn: () => number; readonly tally: MutableTally },
): Weather {
  const held: { readonly at: number; readonly event: CloudEvent }[] = [];
  let sent = 0;
  let isClear = false;
  const meet = (event: CloudEvent, copies: readonly CloudEvent[], trouble: Trouble): readonly CloudEvent[] => {
    switch (trouble.kind) {
      case 'lose':
        tally.events.lost += copies.length;
        return [];
      case 'double':
        tally.events.doubled += 1;
        return Array.from({ length: trouble.copies }, () => event);
      case 'late':
        tally.events.late += 1;
        held.push({ at: turn() + trouble.turns, event });
        return [];
      case 'belated':
        tally.events.belated += 1;
        held.push({ at: Number.POSITIVE_INFINITY, event });
        return [];
      default:
        return copies;
    }
  };
  const take = (isDue: (at: number) => boolean): readonly Due[] => {
    const due = held.filter(({ at }) => isDue(at));
    for (const one of due) held.splice(held.indexOf(one), 1);
    return due.flatMap(({ event }) => dueOf(event));
  };
  return {
    fate: (event) => {
      tally.events.sent += 1;
      if (isClear) return [event];
      sent += 1;
      return troubles
        .filter((trouble) => meets(trouble, sent))
        .reduce<readonly CloudEvent[]>(
          (copies, trouble) => {
            if (copies.length === 0) return copies;
            count(tally.troubles, nameOfTrouble(trouble));
            return meet(event, copies, trouble);
          },
          [event],
        );
    },
    arrived: (now) => take((at) => at <= now),
    clear: () => {
      isClear = true;
    },
    belated: () => take(() => true),
  };
}

function meets(trouble: Trouble, event: number): boolean {
  if (trouble.kind === 'lose') return event >= trouble.event && event < trouble.event + trouble.count;
  return 'event' in trouble && trouble.event === event;
}
