import type { SpanContext } from '../domain/spans.ts';

const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * The context in a `traceparent` (W3C Trace Context, 3.2); undefined where it is missing or malformed, so that a new trace
 * begins. A version above 00 is read as 00 is, as the specification asks.
 */
export function contextIn(traceparent: string | undefined): SpanContext | undefined {
  const found = traceparent === undefined ? null : form.exec(traceparent);
  if (found === null) return undefined;
  const [all, traceId = '', spanId = '', flags = '', rest] = found;
  if (all.startsWith('00') && rest !== undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The value of the header `traceparent`. */
export function traceparentOf({ traceId, spanId, isSampled }: SpanContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** Where the span of an event belongs. */
export interface Way {
  readonly parent: SpanContext | undefined;
  readonly links: readonly SpanContext[];
}

/**
 * The way of an event: its last hop is in the header, and the start of its trace in an extension (CloudEvents, Distributed Tracing).
 * Of two that differ the hop is the parent, and the start is linked.
 */
export function contextOfEvent(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  extensions: ReadonlyMap<string, string>,
): Way {
  const header = headers['traceparent'];
  const hop = contextIn(typeof header === 'string' ? header : undefined);
  const start = contextIn(extensions.get('traceparent'));
  const isOther = hop !== undefined && start !== undefined && start.spanId !== hop.spanId;
  return { parent: hop ?? start, links: isOther ? [start] : none };
}

const none: readonly SpanContext[] = [];
