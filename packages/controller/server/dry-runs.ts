import { KnudgeError } from '../domain/errors.ts';

/** Does the work of a dry run where one is allowed now. */
export type DryRuns = <Value>(work: () => Promise<Value>) => Promise<Value>;

export interface DryRunsParts {
  readonly isInCluster: boolean;
  /** Each sender must show a token, so that the work begins with checking it. */
  readonly asksForTokens: boolean;
}

/** Each is a whole look at its object and shared with nobody, so there are few at a time. */
export const mostDryRuns = 4;

/**
 * Dry runs of one process. Nothing in a cluster needs one, and every program that can reach a function could ask for them: so in
 * a cluster the function makes them only for a sender with a token.
 */
export function createDryRuns({ isInCluster, asksForTokens }: DryRunsParts): DryRuns {
  let underWay = 0;
  return async (work) => {
    if (isInCluster && !asksForTokens) {
      const advice = 'set OIDC_ISSUER and send one, or run the function on your machine: npx knudge replay --plan';
      throw new KnudgeError('sender-not-allowed', `in a cluster a dry run needs a token: ${advice}`);
    }
    if (underWay >= mostDryRuns) {
      const message = `${mostDryRuns} dry runs are under way, which is as many as there may be: try again`;
      throw new KnudgeError('throttled', message, { retryAfterSeconds: 1 });
    }
    underWay += 1;
    try {
      return await work();
    } finally {
      underWay -= 1;
    }
  };
}

/** Whether the query of a request asks for one. Fails with `invalid-request`. */
export function isDryRun(query: string): boolean {
  if (query === '') return false;
  const values = new URLSearchParams(query).getAll('dryRun');
  if (values.some((value) => value !== 'All')) {
    throw new KnudgeError('invalid-request', 'dryRun takes one value, All: leave it out to have the event handled');
  }
  return values.length > 0;
}
