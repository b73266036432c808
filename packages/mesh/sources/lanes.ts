/** Works of one lane are done one after the other, those of several lanes side by side. */
export interface Lanes {
  /** Returns false if the lane is full. The work must not reject. */
  add(lane: string, work: () => Promise<void>): boolean;
  /** Resolves when nothing waits any more. */
  empty(): Promise<void>;
}

export function keepLanes(mostWaiting: number): Lanes {
  const lanes = new Map<string, { waiting: number; last: Promise<void> }>();
  return {
    add: (name, work) => {
      const lane = lanes.get(name) ?? { waiting: 0, last: Promise.resolve() };
      if (lane.waiting >= mostWaiting) return false;
      lanes.set(name, lane);
      lane.waiting += 1;
      lane.last = lane.last.then(work).then(() => {
        lane.waiting -= 1;
        if (lane.waiting === 0) lanes.delete(name);
      });
      return true;
    },
    empty: async () => {
      await Promise.all([...lanes.values()].map(({ last }) => last));
    },
  };
}
