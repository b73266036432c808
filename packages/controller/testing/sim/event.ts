import type { Encoded } from '../../wire/encode.ts';

/** A CloudEvent on its way: attributes and bytes, as binary mode carries them. */
export interface SimulatedEvent {
  /** Every attribute and extension by its name without `ce-`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Absent where there is no data. */
  readonly contentType?: string;
  readonly data: Buffer;
  /** Others that go with it. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An event on the wire. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The event as a function gets it. */
export function deliveryOf({ attributes, contentType, data, headers }: SimulatedEvent): Delivery {
  const own = Object.entries(attributes).map(([name, value]) => [`ce-${name}`, value] as const);
  return {
    headers: {
      ...headers,
      ...Object.fromEntries(own),
      ...(contentType !== undefined && { 'content-type': contentType }),
    },
    body: data,
  };
}

/** The event in a request or an answer of ours, as the Broker takes it; undefined where it holds no event. */
export function eventIn({ headers, body }: Encoded): SimulatedEvent | undefined {
  if (headers['ce-type'] === undefined) return undefined;
  const attributes = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith('ce-') ? [[name.slice(3), value] as const] : [],
  );
  return {
    attributes: Object.fromEntries(attributes),
    ...(body !== '' && { contentType: 'application/json' }),
    data: Buffer.from(body),
  };
}
