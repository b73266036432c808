/** Which events are sent again: the fields of `POST /replay`. */
export interface Selection {
  readonly [field: string]: string | number | boolean | undefined;
}

/** What `POST /replay` answers, also beside the reason why it could not go on. */
export interface Replayed {
  readonly sent: number;
  readonly failed: number;
  /** The places between which there is more to send; absent at the end. */
  readonly next?: { readonly after: number; readonly before?: number };
}

/** How far a replay came, and what is left to send; nothing is left where `rest` is absent. */
export interface Sending {
  readonly sent: number;
  readonly failed: number;
  readonly rest?: Selection;
}

/** The same after one more answer: the rest has the rate and the filter of what was asked, and the places of the answer. */
export function after({ sent, failed, rest }: Sending, answer: Replayed): Sending {
  const sums = { sent: sent + answer.sent, failed: failed + answer.failed };
  return answer.next === undefined ? sums : { ...sums, rest: { ...rest, ...answer.next } };
}

/** What an answer says that refuses and has sent some events before; undefined where it has sent none. */
export function partIn(answer: unknown): Replayed | undefined {
  const { sent, failed, next } = (answer ?? {}) as Partial<Replayed>;
  return sent === undefined || failed === undefined || next === undefined ? undefined : { sent, failed, next };
}
