import {
  type ChangeStem,
  type EventStem,
  functions,
  type Stem,
  serviceOf,
  type services,
} from '../../functions/table.ts';

export const stems = Object.keys(functions) as Stem[];

/** Those that can be a process of their own: all but those that write into the same file. */
export const aloneStems = stems.filter(
  (stem): stem is Exclude<Stem, (typeof services)['event-log'][number]> => serviceOf(stem) !== 'event-log',
);

/** Those that changes of objects wake. */
export const changeStems = stems.filter((stem): stem is ChangeStem => functions[stem].wakes === 'change');

/** Those that other programs ask. */
export const questionStems = stems.filter((stem) => functions[stem].wakes === 'question');

/** Those that take CloudEvents. */
export const eventStems = stems.filter((stem): stem is EventStem => functions[stem].wakes !== 'question');
