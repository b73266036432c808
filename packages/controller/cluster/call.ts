/** One request to the API server, without its connection. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The kind of request: get, list, create, apply … ; for metrics and errors. */
  readonly verb: string;
  /** Plural, with the subresource: `deployments/scale`. */
  readonly resource: string;
  /** The object's name in errors: `Deployment shop/web`. */
  readonly target: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. Never part of an error. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  /** Gets the bytes of each answer, also of one that is tried again; if it throws, the call fails with that. */
  readonly hear?: (bytes: number) => void;
}

/** One request after its end, for metrics. `status` is 0 if no answer came. */
export interface Called {
  readonly verb: string;
  readonly resource: string;
  readonly status: number;
  readonly ms: number;
}

/** Returns the JSON of a successful answer; everything else is a KnudgeError. */
export type Transport = (call: Call) => Promise<unknown>;

/** Content types of PATCH. */
export const patches = {
  apply: 'application/apply-patch+yaml',
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
} as const;

/** The verb of a write that the API server only tries. */
export const tried = 'dry-run';

/** Whether the call changes nothing and may be repeated. */
export function isRead({ method }: Call): boolean {
  return method === 'GET';
}

/** `apply of Deployment shop/web`: the beginning of errors. */
export function nameOf({ verb, target }: Call): string {
  return `${verb} of ${target}`;
}
