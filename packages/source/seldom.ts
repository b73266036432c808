/** Limits a message to one every ten seconds, for what fails again and again. */
export function seldom<What>(say: (what: What) => void): (what: What) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (what) => {
    if (performance.now() - last < 10_000) return;
    last = performance.now();
    say(what);
  };
}
