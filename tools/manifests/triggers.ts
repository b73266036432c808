import type { FunctionRow } from '../../functions/rows.ts';
import { functions, otherTriggers, type Stem } from '../../functions/table.ts';
import { triggerOf } from './trigger.ts';

/** It hands every event to the channel before the log, and is written by hand as that is. */
const byHand = 'event-recorded';
/** The sink of every Trigger, so no Trigger wakes it. */
const sink = 'dead-lettered';

const woken = (Object.entries(functions) as [Stem, FunctionRow][])
  .filter(([stem, { wakes }]) => wakes !== 'question' && stem !== sink)
  .map(([stem]): [name: string, stem: Stem] => [stem, stem]);
const all = [...woken, ...Object.entries<Stem>(otherTriggers)];

/** Every Trigger, sorted. */
export const triggerNames: readonly string[] = all.map(([name]) => name).sort();

/** Those that are made, by their names. */
export const triggerFiles: readonly (readonly [name: string, text: string])[] = all
  .filter(([name]) => name !== byHand)
  .map(([name, stem]) => [name, triggerOf(name, stem)]);
