/** Whether an owner has what it wants, for its condition `Ready`. */
export interface Ready {
  readonly is: boolean;
  /** In CamelCase, as conditions have it. */
  readonly reason: string;
  readonly message: string;
  /** The reason of the Kubernetes Event that says so, if not that of the condition. */
  readonly event?: string;
}

/** What `ready` of a definition gives where the owner has what it wants. `event` is the reason of the Kubernetes Event, if it is another one. */
export function yes(reason: string, message: string, event?: string): Ready {
  return { is: true, reason, message, ...(event !== undefined && { event }) };
}

/** What `ready` of a definition gives where the owner has not yet what it wants, and nothing is wrong. */
export function notYet(reason: string, message: string): Ready {
  return { is: false, reason, message };
}
