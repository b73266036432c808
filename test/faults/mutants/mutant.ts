/** A fault that an engineer could have made, as a change of the product's text. */
export interface Mutant {
  /** In words, with dashes. */
  readonly id: string;
  /** The fault in a sentence. */
  readonly says: string;
  /** The known fault that it is like, or the rule of the design that it breaks. */
  readonly after: string;
  readonly edits: readonly Edit[];
  /** Scenarios where it shows: the first of them is tried before all else, and those of the table after these. */
  readonly near: readonly string[];
  /** In which layer the first of them shows it: without any fault, unless said otherwise. */
  readonly layer?: Layer;
  /** Faults, or where the simulation has nothing of what is broken, the file of a unit test. */
  readonly shownBy?: Faulty | { readonly test: string };
}

/** Which faults show it: the beginning of the kind's id, and of `verb resource name` of the call. */
export interface Faulty {
  readonly kind?: string;
  readonly call?: string;
}

export interface Edit {
  /** From the root of the project. */
  readonly file: string;
  /** Stands there exactly once. */
  readonly from: string;
  readonly to: string;
}

/** What is broken while a scenario runs: nothing, the events, single calls, the order of two, or all of it at random. */
export type Layer = 'calm' | 'noise' | 'losses' | 'turns' | 'faults' | 'schedules' | 'storms';
