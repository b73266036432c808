import type { Delivery } from './types.ts';

export type Kind = 'done' | 'ignored' | 'failed';

/** What a try came to: a failure by its status, `ignored` and `gone` did nothing, everything else is done. */
export function kindOf({ status, outcome }: Pick<Delivery, 'status' | 'outcome'>): Kind {
  if (status < 200 || status > 299) return 'failed';
  return /^(?:ignored|gone)/.test(outcome) ? 'ignored' : 'done';
}

/** The last try of each function. */
export function lastTries<Try extends Pick<Delivery, 'function' | 'seq'>>(deliveries: readonly Try[]): readonly Try[] {
  const byFunction = new Map<string, Try>();
  for (const one of deliveries) {
    const known = byFunction.get(one.function);
    if (known === undefined || known.seq < one.seq) byFunction.set(one.function, one);
  }
  return [...byFunction.values()];
}

/** The Knative Service that keeps events, and reports no deliveries of itself. */
export const keeper = 'event-log';
