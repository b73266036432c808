/** One request to the API server, before it knows of connections. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** What is asked for: get, list, create, apply … ; for metrics and errors. */
  readonly verb: string;
  /** Plural, with the subresource: `deployments/scale`. */
  readonly resource: string;
  /** For people: `Deployment shop/web`. */
  readonly target: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Becomes JSON. Never part of an error. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  /** Told how many bytes each answer has, also one that is tried again; where it throws, the call fails with that. */
  readonly hear?: (bytes: number) => void;
}

/** One request as it went, for metrics. `status` is 0 where no answer came. */
export interface Called {
  readonly verb: string;
  readonly resource: string;
  readonly status: number;
  readonly ms: number;
}

/** Gives the JSON of a successful answer; everything else is a KnudgeError. */
export type Transport = (call: Call) => Promise<unknown>;

/** Content types of PATCH. */
export const patches = {
  apply: 'application/apply-patch+yaml',
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
} as const;

/** Whether the call changes nothing and may be repeated. */
export function isRead({ method }: Call): boolean {
  return method === 'GET';
}

/** `apply of Deployment shop/web`: how errors begin. */
export function nameOf({ verb, target }: Call): string {
  return `${verb} of ${target}`;
}
