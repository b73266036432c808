/** One request that wrote an object, by the name, uid and version that the API server answered: the event of that version comes of it. */
export interface Written {
  /** The kind of request: create, apply, own, status, delete … */
  readonly do: string;
  readonly kind: string;
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Empty for a deletion at once, which makes no version. */
  readonly resourceVersion: string;
  /** Several events shared the run that wrote it: each of them is a cause. */
  readonly shared?: true;
}

/** What came of one request to write; undefined where it is not known to have made a version. */
export type Tried = Written | undefined;

/** What became of an event in one function, at one try. */
export interface Delivered {
  readonly event: { readonly id: string; readonly source: string };
  /** The stem of the function. */
  readonly function: string;
  /** From 1; absent where nobody counts tries. */
  readonly attempt?: number;
  /** When it began. RFC 3339, milliseconds. */
  readonly at: string;
  readonly ms: number;
  /** Milliseconds that the start took which this event waited for; if absent, the function was awake. */
  readonly coldMs?: number;
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** The result, or the code of the error. */
  readonly outcome: string;
  readonly reads: number;
  /** Versions of objects that were made, and deletions: as many as `written` and `unlisted` together. Of a resync those of its Lease. */
  readonly writes: number;
  /** Requests to write that are not known to have made a version: a conflict, a refusal, no answer, or nothing to change. */
  readonly inVain?: number;
  /** Such as `Greeting shop/hello`. */
  readonly parents: readonly string[];
  readonly written: readonly Written[];
  /** How many more were written and are not named. */
  readonly unlisted?: number;
  /** Of `traceparent`: 32 hexadecimal digits. */
  readonly traceId?: string;
  /** The Pod or the process. */
  readonly instance?: string;
}

/** A delivery as the log keeps it. */
export interface Delivery extends Omit<Delivered, 'event'> {
  readonly seq: number;
  /** `seq` is absent where the log does not have the event, or no longer. */
  readonly event: Delivered['event'] & { readonly seq?: number };
}

/** Which deliveries are meant; `uid` and `version` are of an object that was written, `event` is a place in the log. */
export interface DeliveryFilter {
  readonly event?: number;
  readonly function?: string;
  readonly outcome?: string;
  readonly uid?: string;
  readonly version?: string;
  /** How it was written: `delete`. */
  readonly do?: string;
  readonly since?: string;
  readonly until?: string;
  readonly after?: number;
  readonly before?: number;
}

/** The most writes and parents that one delivery names. */
export const mostWritten = 50;
export const mostParents = 20;

/** The type of the event that carries deliveries to the event log, as a list in its data; the log keeps them and not the event. */
export const reconciledType = 'dev.knudge.reconciled';

/** The most deliveries in one such event. */
export const mostAtOnce = 100;

/** The header of an answer that carries what its function knows of the delivery, where it was asked to. */
export const deliveryHeader = 'knudge-delivery';
