import type { TokenSigner } from '../identity/tokens.ts';
import type { User } from '../identity/user.ts';
import type { JsonObject } from '../json.ts';
import type { Kinds } from '../schema/kinds.ts';
import type { Store } from '../store/store.ts';

/** One HTTP request; the names of its headers in lower case, its path without the query, its body as text. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The user that sends it; the administrator if absent. */
  readonly user?: User;
}

/** A list becomes several header lines. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** An answer that is whole, or a watch: `watch` then sends one line of JSON for each event until it is stopped. */
export type ApiAnswer = Answer | WatchAnswer;

export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: JsonObject | string;
}

export interface WatchAnswer {
  readonly headers: AnswerHeaders;
  /** Sends the known state at once, then each event as a line; calls `ended` when no more comes. Returns the function that stops it. */
  readonly watch: (send: (line: string) => void, ended: () => void) => () => void;
}

export interface ContainerOfPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly container: string;
}

/** What all requests share: the state, and the clock and the like. */
export interface ServerContext {
  readonly kinds: Kinds;
  readonly store: Store;
  /** Of the tokens of ServiceAccounts. */
  readonly signer: TokenSigner;
  /** Milliseconds since 1970. */
  now(): number;
  newUid(): string;
  /** As Math.random. */
  random(): number;
  /** Runs a task soon, after what runs now. */
  schedule(task: () => void): void;
  /** The log of a container up to now, if its Pod runs as a process. */
  logOf?(container: ContainerOfPod): string | undefined;
  /** Runs a task once after these milliseconds; returns the function that cancels it. */
  after(milliseconds: number, task: () => void): () => void;
}

/** A time in the API's form: RFC 3339, seconds. */
export function timestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
