import type { KnudgeError } from '../domain/errors.ts';
import type { LooksAt } from '../domain/looks-at.ts';
import type { EventHandler, Handler, QuestionHandler } from '../domain/ports.ts';

/** A function that an object's change wakes: it is given what changed. */
export interface ChangeRow {
  readonly wakes: 'change';
  readonly handle: Handler;
  /** The one kind whose events it takes, as `group/Kind`; the core group is empty. */
  readonly kind: string;
  /** The labels that the sources watch for, each by a watch of its own: an object with one of them wakes it. */
  readonly labels: readonly string[];
  /** Its events bring the names of objects and nothing else of them: the sources never read what they hold. */
  readonly mode?: 'Reference';
  /** What it looks at in the status of such an object: no source of ours wakes it for anything else there. */
  readonly looksAt: LooksAt;
}

/** A function that is given the whole event, and may answer with one. */
export interface EventRow {
  readonly wakes: 'event';
  readonly handle: EventHandler;
  /** `every` for one that others' events are left to, whatever their type and their data. */
  readonly types: readonly string[] | 'every';
  /** What it cannot start without. */
  readonly uses: readonly ('cluster' | 'broker' | 'log')[];
}

/** A function that another program asks over plain HTTP, JSON against JSON: no event wakes it. */
export interface QuestionRow {
  readonly wakes: 'question';
  readonly handle: QuestionHandler;
  /** What the function answers when it fails: the asking program takes it for a no. */
  readonly failed: (error: KnudgeError) => object;
}

export type FunctionRow = ChangeRow | EventRow | QuestionRow;
