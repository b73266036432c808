/** A selector of a metric that Knudge itself exports. */
export interface Selector {
  readonly metric: string;
  /** Such as `state="Failed"`. */
  readonly matchers: readonly string[];
}

/** The selectors of Knudge's own metrics in an expression, or in the query of a variable. */
export function ownSelectors(expression: string): readonly Selector[] {
  const found = expression.matchAll(/\b((?:knudge|frp_operator)_\w+)(?:\{([^}]*)\})?/g);
  return [...found].map(([, metric = '', inner = '']) => ({
    metric,
    matchers: [...inner.matchAll(/\w+\s*(?:=~|!~|!=|=)\s*"[^"]*"/g)].map(([text]) => text),
  }));
}
