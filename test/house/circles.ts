/** What needs itself by way of others, or is on the way from one such circle to another; `needs` has what each needs. */
export function inCircles(needs: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const left = new Map(needs);
  const without = (isFree: (name: string, others: readonly string[]) => boolean): boolean => {
    const free = [...left].filter(([name, others]) => isFree(name, others));
    for (const [name] of free) left.delete(name);
    return free.length > 0;
  };
  while (without((_, others) => others.every((other) => !left.has(other))));
  while (without((name) => ![...left.values()].flat().includes(name)));
  return [...left.keys()].sort();
}
