/** Milliseconds by which the clocks may differ before they are compared anew: a machine that slept, or was set. */
const tolerance = 50;

/** Milliseconds since 1970 with a fraction, which go on evenly while the clock of the machine is not set. */
export function keepClock(epoch: () => number, elapsed: () => number): () => number {
  let offset = epoch() - elapsed();
  return () => {
    const now = epoch() - elapsed();
    if (Math.abs(now - offset) > tolerance) offset = now;
    return offset + elapsed();
  };
}
