import type { JsonObject } from '../json.ts';
import type { Kinds } from '../schema/kinds.ts';
import type { Store } from '../store/store.ts';

/** One HTTP request; the names of its headers in lower case. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A list makes as many header lines. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

export type ApiAnswer = Answer | WatchAnswer;

export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: JsonObject | string;
}

export interface WatchAnswer {
  readonly headers: AnswerHeaders;
  /** Sends what is known at once, then every event as one line; `ended` when there will be none. Gives the way to stop. */
  readonly watch: (send: (line: string) => void, ended: () => void) => () => void;
}

/** What all requests share: the state and everything that is not a function of it. */
export interface World {
  readonly kinds: Kinds;
  readonly store: Store;
  /** Milliseconds since 1970. */
  now(): number;
  newUid(): string;
  /** As Math.random. */
  random(): number;
  /** Runs a task soon, after what runs now. */
  schedule(task: () => void): void;
  /** Runs something once after milliseconds; gives the way to take that back. */
  after(milliseconds: number, task: () => void): () => void;
}

/** As the API writes a moment: RFC 3339, seconds. */
export function timestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
