import type { KubeObject, ObjectRef } from '../domain/kube-object.ts';
import type { CallVerb } from './fault.ts';

/**
 * Everything that happened in one run, in order: `at` numbers calls, changes, answers and marks alike. The oracles look
 * at nothing else.
 */
export interface Trace {
  readonly calls: readonly TracedCall[];
  readonly changes: readonly TracedChange[];
  readonly answers: readonly TracedAnswer[];
  /** Where the faults ended; where the cluster had come to rest after the healing resync; where two more resyncs ended. */
  readonly marks: { readonly lifted: number; readonly rest: number; readonly end: number };
  /** Every object at the end. */
  readonly objects: readonly KubeObject[];
  /** Every object when all was at rest for the first time: before the two more resyncs. */
  readonly resting: readonly KubeObject[];
  /** Everything that was said: lines of logs, bodies and headers of answers, in no special order. */
  readonly output: readonly string[];
  /** The parents that the scenario is about. */
  readonly parents: readonly ObjectRef[];
  /** Milliseconds since 1970, at the end. */
  readonly now: number;
  /** Did the plan inject a stale read of a parent or an input? Then a child may be older than it for a moment. */
  readonly staleReads: boolean;
}

/** One API call of a handler. */
export interface TracedCall {
  readonly at: number;
  /** The invocation of a function that made it. */
  readonly run: number;
  readonly verb: CallVerb;
  readonly resource: string;
  /** The name is empty for a list. */
  readonly ref: ObjectRef;
  /** Label selector and other parameters. */
  readonly query: Readonly<Record<string, string>>;
  /** The JSON of the request. */
  readonly body: unknown;
  /** What the API server did: its status, 0 if the call never reached it; and its JSON. */
  readonly done: { readonly status: number; readonly body: unknown };
  /** What the handler saw: 0 if no answer came. */
  readonly seen: { readonly status: number; readonly body: unknown };
  /** The action of the fault that hit it. */
  readonly fault?: string;
}

/** One write that the API server carried out, with the program that asked for it. */
export interface TracedChange {
  readonly at: number;
  readonly by:
    | { readonly who: 'run'; readonly run: number; readonly call: number }
    | { readonly who: 'user' | 'cluster' };
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  readonly before?: KubeObject;
  /** Milliseconds of the clock of the run, which never goes back; absent where nobody counts them. */
  readonly ms?: number;
}

/** One answer of a function to one event. */
export interface TracedAnswer {
  readonly at: number;
  /** Where its run began. */
  readonly began: number;
  readonly run: number;
  readonly stem: string;
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly ref?: ObjectRef;
    /** Uid and resourceVersion of the object that it carried. */
    readonly version?: string;
  };
  /** 0: the process died. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds of the clock of the run. */
  readonly ms: number;
}

/** What an oracle has to say against a run. */
export interface Finding {
  /** `O1` to `O12`. */
  readonly oracle: string;
  /** One sentence: what is wrong, with which object. */
  readonly what: string;
  /** Where in the trace. */
  readonly at?: number;
}

/** Pure: the same trace gives the same findings. `clean` is the trace of the same scenario without faults. */
export type Oracle = (trace: Trace, clean: Trace | undefined) => readonly Finding[];
