/** A CloudEvent between the parts of the mesh: attributes and bytes, uninterpreted, as binary mode carries them. */
export interface CloudEvent {
  /** Every context attribute and extension by its lower-case name without `ce-`; `specversion`, `id`, `type`, `source` always. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Absent if there is no data. */
  readonly contentType?: string;
  readonly data: Buffer;
  /** Other headers that Knative passes on: `kn-namespace`, `x-request-id`, `traceparent`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer of an HTTP server to an event, or why there was none. */
export type Answer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Lower-case names. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
      /** Set on an error of a Broker that has given the event to some of the Triggers that want it. */
      readonly isTakenBySome?: true;
    }
  | { readonly kind: 'failed'; readonly why: string };

/** Sends an event to an address and waits for its answer; never rejects. Without `timeoutMs` it waits without a limit. */
export type Deliver = (to: Destination, event: CloudEvent, timeoutMs?: number) => Promise<Answer>;

/** A `Destination` of Knative: a Knative Service by name, a Broker, a channel, or an address. */
export type Destination =
  | {
      readonly kind: 'function';
      readonly namespace: string;
      readonly name: string;
      /** Begins with `/`, which is also the default. */
      readonly path?: string;
    }
  | { readonly kind: 'channel'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'broker'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'uri'; readonly uri: string };
