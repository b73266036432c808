/** A CloudEvent between the parts of the mesh: attributes and bytes, uninterpreted, as binary mode carries them. */
export interface CloudEvent {
  /** Every context attribute and extension by its lower-case name without `ce-`; `specversion`, `id`, `type`, `source` always. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Absent where there is no data. */
  readonly contentType?: string;
  readonly data: Buffer;
  /** Other headers that Knative passes on: `kn-namespace`, `x-request-id`, `traceparent`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What an HTTP server said to an event, or why it said nothing. */
export type Answer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Lower-case names. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
    }
  | { readonly kind: 'failed'; readonly why: string };

/** Hands an event to an address and waits for its answer; never rejects. `timeoutMs` absent: as long as it takes. */
export type Deliver = (to: Destination, event: CloudEvent, timeoutMs?: number) => Promise<Answer>;

/** Where Knative's `Destination` points: a Knative Service by name, a Broker, a channel, or an address. */
export type Destination =
  | {
      readonly kind: 'function';
      readonly namespace: string;
      readonly name: string;
      /** Begins with `/`; absent: `/`. */
      readonly path?: string;
    }
  | { readonly kind: 'channel'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'broker'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'uri'; readonly uri: string };
