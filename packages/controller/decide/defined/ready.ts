/** Whether an owner has what it wants, for its condition `Ready`. */
export interface Ready {
  readonly is: boolean;
  /** In CamelCase, as conditions have it. */
  readonly reason: string;
  readonly message: string;
  /** The reason of the Kubernetes Event that says so, if not that of the condition. */
  readonly event?: string;
}

/** It has. */
export function yes(reason: string, message: string, event?: string): Ready {
  return { is: true, reason, message, ...(event !== undefined && { event }) };
}

/** It has not, and nothing is wrong yet. */
export function notYet(reason: string, message: string): Ready {
  return { is: false, reason, message };
}
