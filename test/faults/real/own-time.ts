/** How long this process has run, in milliseconds: what a machine that is busy with others took from it does not count. */
export interface OwnTime {
  readonly elapsed: () => number;
  readonly stop: () => void;
}

/**
 * Counts by a heartbeat: between two beats a process that is not kept waiting sees no more than `mostMs` pass. A limit on
 * an answer's time is a promise about the function, and none about the machine that a test shares with others.
 */
export function createOwnTime(now: () => number = () => performance.now()): OwnTime {
  let [own, last] = [0, now()];
  const beat = (): number => {
    const at = now();
    own += Math.min(at - last, mostMs);
    last = at;
    return own;
  };
  const heart = setInterval(beat, beatMs);
  heart.unref();
  return { elapsed: beat, stop: () => clearInterval(heart) };
}

const beatMs = 20;
/** A beat that comes a little late is no stall. */
const mostMs = 60;
