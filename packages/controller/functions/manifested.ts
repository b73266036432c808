/** A rule of a role. */
export interface Rule {
  /** Lines of a comment. */
  readonly says?: readonly string[];
  readonly group: string;
  /** Plurals, with their subresources. */
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

interface Variable {
  readonly says?: string;
  readonly name: string;
  readonly value: string;
}

/** What the manifest of a Knative Service says besides what all of them say. */
export interface Deployed {
  readonly says?: readonly string[];
  /** About how it scales. */
  readonly scale?: string;
  /** It sends to the Broker by itself: what for. */
  readonly sends?: string;
  readonly env?: readonly Variable[];
}

/** What a Trigger says besides what all of them say. */
export interface Woken {
  /** YAML of filters: besides the one for the kind of its function, where it has one. */
  readonly filters?: string;
  /** How it is tried, and why. */
  readonly tries?: {
    readonly says: readonly string[];
    readonly retry: number;
    readonly delay: string;
    readonly timeout: string;
  };
}

/** What an account may do besides what follows from its functions. */
export interface Rights {
  readonly says?: readonly string[];
  readonly rules: readonly Rule[];
}
