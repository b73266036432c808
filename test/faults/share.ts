/** FAULT_SHARE=1/2: the first of two shares; all of it without. CI takes one, which follows from the commit. */
const [share = 1, shares = 1] = (process.env['FAULT_SHARE'] ?? '1/1').split('/').map(Number);

/** How many shares there are: goals of how much is to be tried are for all of them together. */
export const shareCount = shares;

/** Every n-th of what is to be tried, where n is the number of shares. */
export function shareOf<Item>(all: readonly Item[]): readonly Item[] {
  return all.filter((_, index) => index % shares === share - 1);
}
