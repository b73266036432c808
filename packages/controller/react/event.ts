import type { EventContext, EventHandler } from '../domain/ports.ts';
import type { Reaction } from '../server/handle-event.ts';

/** A row of the table of functions. */
export interface EventFunction {
  readonly stem: string;
  readonly handle: EventHandler;
  readonly types: readonly string[] | 'every';
  readonly uses: readonly ('cluster' | 'broker' | 'log')[];
}

/** What a function does that takes whole events. */
export function reactToEvents(
  { handle, types }: Pick<EventFunction, 'handle' | 'types'>,
  context: EventContext,
): Reaction {
  return { to: 'event', types, handle: (received) => handle(received, context) };
}
