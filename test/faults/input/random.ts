/** Numbers that a seed decides: the same seed gives the same ones on every machine. */
export interface Random {
  /** A whole number from 0 to below `end`. */
  readonly below: (end: number) => number;
  readonly oneOf: <Choice>(choices: readonly Choice[]) => Choice;
  /** True once in this many times. */
  readonly oncePer: (times: number) => boolean;
}

/** Mulberry32: 32 bits of state, which is plenty for choosing bytes. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const below = (end: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  };
  return {
    below,
    oneOf: (choices) => {
      const chosen = choices[below(choices.length)];
      if (chosen === undefined) throw new Error('there is nothing to choose from');
      return chosen;
    },
    oncePer: (times) => below(times) === 0,
  };
}
