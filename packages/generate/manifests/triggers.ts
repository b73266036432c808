import type { Controller } from '../../controller/functions/define-controller.ts';

/** A Trigger and its function. */
export interface Waking {
  readonly name: string;
  readonly stem: string;
}

/** It hands every event to the channel before the log, and is written by hand as that is. */
export const byHand = 'event-recorded';
/** The sink of every Trigger, so no Trigger wakes it. */
const sink = 'dead-lettered';

/** Every Trigger of a controller with its function. */
export function triggersOf({ functions, otherTriggers }: Controller): readonly Waking[] {
  const woken = Object.entries(functions)
    .filter(([stem, { wakes }]) => wakes !== 'question' && stem !== sink)
    .map(([stem]) => ({ name: stem, stem }));
  return [...woken, ...Object.entries(otherTriggers).map(([name, stem]) => ({ name, stem }))];
}
