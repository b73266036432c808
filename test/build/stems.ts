import { type ChangeStem, functions, type Stem } from '../../functions/table.ts';

export const stems = Object.keys(functions) as Stem[];

/** Those that changes of objects wake. */
export const changeStems = stems.filter((stem): stem is ChangeStem => functions[stem].wakes === 'change');
