/** The counts that pass, from `least` to `most`, both included. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** How often something happens that has, each time, this probability. */
export interface Chance {
  readonly tries: number;
  readonly probability: number;
}

/**
 * The narrowest range, of equal tails, outside of which the count falls with at most the probability `alpha`: a test
 * that fails outside of it fails so seldom where nothing is wrong. Exact, no approximation by a normal distribution.
 */
export function binomialRange(chance: Chance, alpha: number): Range {
  const weights = masses(chance);
  return { least: tail(weights, alpha / 2), most: chance.tries - tail(weights.toReversed(), alpha / 2) };
}

/** How likely a count falls outside of a range where each try has another probability than was thought. */
export function powerAgainst(range: Range, chance: Chance): number {
  return masses(chance).reduce((sum, mass, count) => (count < range.least || count > range.most ? sum + mass : sum), 0);
}

/** The first count at which what lies below and it together are more than `alpha`. */
function tail(weights: readonly number[], alpha: number): number {
  let sum = 0;
  for (const [count, mass] of weights.entries()) {
    sum += mass;
    if (sum > alpha) return count;
  }
  return weights.length;
}

/** The probability of each count from 0 to `tries`. */
function masses({ tries, probability }: Chance): readonly number[] {
  const logarithms = [0];
  for (let n = 1; n <= tries; n += 1) logarithms.push((logarithms[n - 1] ?? 0) + Math.log(n));
  const factorial = (n: number): number => logarithms[n] ?? 0;
  return logarithms.map((_, count) =>
    Math.exp(
      factorial(tries) -
        factorial(count) -
        factorial(tries - count) +
        count * Math.log(probability) +
        (tries - count) * Math.log(1 - probability),
    ),
  );
}

/** How often a value is the same as the one before it. */
export function repeats(values: readonly string[]): number {
  return values.filter((value, index) => index > 0 && value === values[index - 1]).length;
}

/** How often each of these names is among the values. */
export function countsOf(names: readonly string[], values: readonly string[]): readonly number[] {
  return names.map((name) => values.filter((value) => value === name).length);
}
