const [share = 1, shares = 1] = (process.env['FAULT_SHARE'] ?? '1/1').split('/').map(Number);

if (!(Number.isInteger(share) && Number.isInteger(shares) && share >= 1 && share <= shares))
  throw new Error('FAULT_SHARE must be two whole numbers, such as 1/4 for the first of four shares');

/** The share of the work that `FAULT_SHARE=1/4` asks for: the first of four; the whole where the variable is not set. */
export const faultShare = {
  share,
  shares,
  of: <Item>(all: readonly Item[]): readonly Item[] => partOf(all, share - 1, shares),
};

/** The items of one of several who share the work, from 0. */
export function partOf<Item>(items: readonly Item[], part: number, parts: number): readonly Item[] {
  return items.filter((_, index) => index % parts === part);
}
