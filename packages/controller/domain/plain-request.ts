/** An HTTP request that carries no event. */
export interface PlainRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly contentType: string;
  readonly authorization: string;
  /** Their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** It comes from this machine. */
  readonly isLocal: boolean;
  /** Its body, of a few kilobytes at most; fails with a KnudgeError. */
  readonly body: () => Promise<Buffer>;
}
