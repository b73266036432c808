/** Works on all of them, this many at a time, in their order, until it is stopped; fails with the first failure when those under way have ended. */
export async function atOnce<Item>(
  items: readonly Item[],
  { most, signal }: { readonly most: number; readonly signal?: AbortSignal | undefined },
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (next < items.length && failures.length === 0 && signal?.aborted !== true) {
      const index = next;
      next += 1;
      const item = items[index];
      if (item !== undefined) await work(item, index).catch((error: unknown) => void failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: most }, worker));
  if (failures.length > 0) throw failures[0];
}
