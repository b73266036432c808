import { partOf } from './matrix/run-plans.ts';

/** A share of the work, as `FAULT_SHARE=1/2` says it: the first of two; the whole where the variable is not set. */
export function shareIn(variable: string) {
  const [share = 1, shares = 1] = (process.env[variable] ?? '1/1').split('/').map(Number);
  return { share, shares, of: <Item>(all: readonly Item[]): readonly Item[] => partOf(all, share - 1, shares) };
}

/** Of the faults. CI takes one share, which follows from the commit. */
export const faultShare = shareIn('FAULT_SHARE');
