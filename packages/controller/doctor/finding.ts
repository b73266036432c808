/** `unchecked`: it could not be checked from here, which is not a fault of the cluster. */
export type Level = 'ok' | 'warning' | 'problem' | 'unchecked';

/** What a check found about one thing, in sentences for people. */
export interface Finding {
  /** The check that found it. */
  readonly check: string;
  readonly level: Level;
  /** The state that the check found. */
  readonly what: string;
  /** Why it matters; absent if all is well. */
  readonly why?: string;
  readonly todo?: string;
}

/** A finding without the name of its check. */
export type Found = Omit<Finding, 'check'>;

export function ok(what: string): Found {
  return { level: 'ok', what };
}

export function problem(what: string, why: string, todo: string): Found {
  return { level: 'problem', what, why, todo };
}

export function warning(what: string, why: string, todo: string): Found {
  return { level: 'warning', what, why, todo };
}

export function unchecked(what: string): Found {
  return { level: 'unchecked', what: `not checked: ${what}` };
}
