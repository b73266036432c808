import type { Finding, Trace } from '../trace.ts';

/**
 * What the healing resync still had to write after a run in which nothing was broken and no event was lost: then some
 * change had woken nobody. A deletion that takes too long is told of by the clock, not by an event.
 */
export function unheardIn({ changes, marks }: Trace): readonly Finding[] {
  return changes
    .filter(({ at, by }) => by.who === 'run' && at > marks.lifted && at < marks.rest)
    .filter(({ object }) => object.kind !== 'Event' && object.metadata.deletionTimestamp === undefined)
    .map(({ at, type, object: { kind, metadata } }) => ({
      oracle: 'O1',
      what: `${kind} ${metadata.namespace ?? ''}/${metadata.name} was ${type} by the resync alone: its event woke nobody`,
      at,
    }));
}
