/** What happens to one API call, the `nth` that fits, counted from 1 over all handlers of a run. */
export interface Fault {
  readonly match: CallMatch;
  /** Before the API server sees the call, or after it has carried it out. */
  readonly when: 'before' | 'after';
  readonly action: Action;
  /** How many calls that fit, from the nth on; 1 if absent; 'on' until the faults are lifted. */
  readonly times?: number | 'on';
}

/** A call as anyone between handler and API server sees it. */
export interface CallMatch {
  readonly verb: CallVerb;
  /** Plural, with the subresource: `deployments/scale`. */
  readonly resource: string;
  /** If absent, any. Lists have none. */
  readonly name?: string;
  readonly nth: number;
}

/** `patch` by its content type: server-side apply, JSON patch, merge patch. */
export type CallVerb = 'get' | 'list' | 'create' | 'update' | 'apply' | 'patch-json' | 'patch-merge' | 'delete';

export type Action =
  /** The process of the handler is gone: nothing it does from here on reaches anybody, its event is not answered. */
  | { readonly do: 'crash' }
  /** No answer comes, for as long as the caller waits. */
  | { readonly do: 'hang' }
  /** The connection is reset: `before` means the server saw nothing. */
  | { readonly do: 'reset' }
  /** This answer instead of the server's. `body` absent: a Status with reason and message. */
  | {
      readonly do: 'answer';
      readonly status: number;
      readonly reason?: string;
      readonly message?: string;
      readonly details?: Readonly<Record<string, unknown>>;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly contentType?: string;
    }
  /** The server's answer, with its body spoilt. */
  | { readonly do: 'garble'; readonly how: 'cut' | 'not-json' | 'other-kind' | 'huge' }
  /** The answer comes so late. */
  | { readonly do: 'delay'; readonly ms: number }
  /** A read is answered with what was true before: the version before the last, or absence, or what is gone by now. */
  | { readonly do: 'stale' }
  /** A list is answered as if there were nothing, or only its first half. */
  | { readonly do: 'shorten'; readonly to: 'nothing' | 'half' }
  /** Somebody else writes just before (or after) the call: to its object, to the parent, or to the namespace. */
  | { readonly do: 'meddle'; readonly how: Meddling };

export type Meddling =
  /** A label of somebody's on the object of the call. */
  | 'touch'
  /** The object of the call is deleted, or deleted and made again by nobody we know. */
  | 'delete'
  | 'replace'
  /** An object of that name, somebody else's, where no object has that name yet. */
  | 'squat'
  /** The parent's spec changes in a harmless way, the parent is deleted, or deleted and made again. */
  | 'edit-parent'
  | 'delete-parent'
  | 'recreate-parent';
