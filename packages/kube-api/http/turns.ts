/** Does a piece of work when it is its turn; resolves with its result. */
export type Turns = <Result>(flow: string, work: () => Result) => Promise<Result>;

/** Milliseconds after its last work for which a flow counts as a neighbour of the others. */
const neighbourMs = 1000;

interface Flow {
  readonly works: (() => void)[];
  /** When its last work was over, and before when it has no turn: milliseconds of `performance.now()`. */
  last: number;
  notBefore: number;
}

/**
 * One piece of work at a time: those of one flow in order, and one of each flow that waits in turn. A flow that has neighbours
 * rests after each for as long as that took, so that it has at most half of the time; a flow that is alone has all of it.
 * Between two pieces everything that has arrived meanwhile is read.
 */
export function takeTurns(): Turns {
  const flows = new Map<string, Flow>();
  let timer: NodeJS.Timeout | undefined;
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    clearTimeout(timer);
    setImmediate(next);
  };

  const next = (): void => {
    isScheduled = false;
    const now = performance.now();
    const waiting = [...flows].filter(([, { works }]) => works.length > 0);
    const turn = waiting.find(([, { notBefore }]) => notBefore <= now);
    if (turn !== undefined) {
      take(...turn, now);
      schedule();
    } else if (waiting.length > 0) {
      timer = setTimeout(schedule, Math.min(...waiting.map(([, { notBefore }]) => notBefore)) - now);
    }
  };

  const take = (name: string, flow: Flow, began: number): void => {
    flow.works.shift()?.();
    flow.last = performance.now();
    flow.notBefore = hasNeighbours(flow) ? 2 * flow.last - began : 0;
    // Moved behind all others.
    flows.delete(name);
    flows.set(name, flow);
  };

  const hasNeighbours = (flow: Flow): boolean => {
    for (const [name, { works, last }] of flows) {
      const isGone = works.length === 0 && flow.last - last > neighbourMs;
      if (isGone) flows.delete(name);
    }
    return flows.size > 1;
  };

  return (name, work) =>
    new Promise((resolve, reject) => {
      const flow = flows.get(name) ?? { works: [], last: performance.now(), notBefore: 0 };
      flow.works.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
      flows.set(name, flow);
      schedule();
    });
}
