import { redactText } from '../domain/redact-text.ts';
import type { Attributes, SpanContext, SpanStart } from '../domain/spans.ts';

/** A span that has ended. Times are milliseconds since 1970. */
export interface Ended {
  readonly name: string;
  readonly context: SpanContext;
  readonly parentSpanId: string | undefined;
  readonly kind: SpanStart['kind'];
  readonly began: number;
  readonly ended: number;
  readonly links: readonly SpanContext[];
  readonly attributes: Attributes;
  readonly error: string | undefined;
}

/** The program that sends spans. */
export interface Sending {
  readonly service: string;
  readonly version: string;
  /** The Pod or the process. */
  readonly instance: string;
}

/** Numbers of opentelemetry-proto, trace/v1/trace.proto. */
const kinds = { internal: 1, client: 3, producer: 4, consumer: 5 } as const;
const failed = 2;

/** The JSON of an ExportTraceServiceRequest (OTLP 1.10, JSON Protobuf Encoding). */
export function requestOf(spans: readonly Ended[], { service, version, instance }: Sending): string {
  const resource = { 'service.name': service, 'service.version': version, 'service.instance.id': instance };
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'knudge', version }, spans: spans.map(spanOf) }],
      },
    ],
  });
}

function spanOf({ name, context, parentSpanId, kind, began, ended, links, attributes, error }: Ended): object {
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanosecondsOf(began),
    endTimeUnixNano: nanosecondsOf(ended),
    attributes: attributesOf(attributes),
    links: links.map(({ traceId, spanId }) => ({ traceId, spanId })),
    ...(error !== undefined && { status: { code: failed, message: redactText(error) } }),
  };
}

function attributesOf(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]): readonly object[] => {
    if (value === undefined) return [];
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }];
    if (typeof value === 'boolean') return [{ key, value: { boolValue: value } }];
    // 64 bits: JSON has them as a string.
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }];
  });
}

/** To the microsecond: a double has no more digits since 1970. */
function nanosecondsOf(milliseconds: number): string {
  return `${Math.round(milliseconds * 1000)}000`;
}
