import type { Change, Received } from '../domain/change.ts';
import { reconciledType } from '../domain/delivery.ts';
import { lastWritten } from '../domain/last-written.ts';
import { manager } from '../domain/names.ts';
import type { Outcome } from '../domain/plan.ts';
import type { Attributes, SpanContext, Traced, Tracer } from '../domain/spans.ts';
import { contextOfEvent } from '../traces/context.ts';
import type { Answer } from './respond.ts';

/** Traces the events of a process. */
export interface EventTracer {
  /** Undefined for an event that is about events. */
  begin(event: BegunEvent): EventTrace | undefined;
}

export interface BegunEvent {
  readonly received: Received;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Of the function that handles it. */
  readonly stem: string;
  /** Milliseconds since its request came. */
  readonly ageMs: number;
}

/** The span of one event in one function, from its request to the end of the answer. */
export interface EventTrace extends Traced {
  /** No hop before it is in its trace, and no process was started for it. */
  readonly isAlone: boolean;
  /** The answer to give, with whose end the span ends. */
  answered(answer: Answer, how: AnsweredEvent): Answer;
}

export interface AnsweredEvent {
  readonly change?: Change | undefined;
  /** The result, or the code of the error. */
  readonly outcome: string;
  readonly counts: Partial<Pick<Outcome, 'reads' | 'writes'>>;
  /** Why it failed. */
  readonly error?: string;
}

/** An instance that is older than this when its first event comes was not started for it. In milliseconds. */
export const longestStart = 10_000;

/** Traces events; `processBegan` is in milliseconds since 1970. */
export function traceEvents(tracer: Tracer, processBegan: number): EventTracer {
  let isFirst = true;
  return {
    begin: ({ received, headers, stem, ageMs }) => {
      // A report of deliveries is no work: a trace of it would be one of tracing.
      if (received.type === reconciledType) return undefined;
      const began = tracer.now() - ageMs;
      const { parent, links } = contextOfEvent(headers, received.extensions);
      const attributes = attributesOf(received, stem);
      const span = tracer.start(`process ${stem}`, { kind: 'consumer', parent, links, attributes, began });
      const traced = { tracer, span };
      const woke = isFirst && began - processBegan < longestStart;
      if (woke) noteWake(traced, { parent, processBegan, began });
      isFirst = false;
      const isAlone = parent === undefined && !woke;
      return { ...traced, isAlone, answered: (answer, how) => answered(traced, answer, how) };
    },
  };
}

/** It is beside the event's span and not below, where it can be: it begins before the event has come in. */
function noteWake(
  { tracer, span }: Traced,
  {
    parent,
    processBegan,
    began,
  }: { readonly parent: SpanContext | undefined; readonly processBegan: number; readonly began: number },
): void {
  const wake = tracer.start('wake', { kind: 'internal', parent: parent ?? span.context, began: processBegan });
  wake.end({ at: began });
}

/** As OpenTelemetry's conventions name them, for messaging and for CloudEvents. */
function attributesOf({ id, source, type }: Received, stem: string): Attributes {
  return {
    'messaging.system': 'knative',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': stem,
    'cloudevents.event_id': id,
    'cloudevents.event_source': source,
    'cloudevents.event_type': type,
  };
}

function answered({ tracer, span }: Traced, answer: Answer, how: AnsweredEvent): Answer {
  const { change, outcome, counts, error } = how;
  const status = { 'http.response.status_code': answer.status };
  const answering = tracer.start('answer', { kind: 'internal', parent: span.context, attributes: status });
  const { reads, writes } = counts;
  const attributes = { 'knudge.outcome': outcome, 'knudge.reads': reads, 'knudge.writes': writes, ...about(change) };
  return {
    ...answer,
    sent: () => {
      answering.end();
      // Not before: the event of a write may come before the answer to the write.
      const cause = writerOf(tracer, change);
      if (cause !== undefined) span.link(cause);
      span.end({ attributes, ...(error !== undefined && { error }) });
    },
  };
}

function about(change: Change | undefined): Attributes {
  if (change === undefined) return {};
  const { ref, verb, hint } = change;
  return {
    'knudge.verb': verb,
    'knudge.object.kind': ref.kind,
    'k8s.namespace.name': ref.namespace === '' ? undefined : ref.namespace,
    'knudge.object.name': ref.name,
    'knudge.object.uid': hint?.metadata.uid,
    'knudge.object.version': hint?.metadata.resourceVersion,
  };
}

/**
 * The span of the write that made the event. This process knows the spans of its own writes alone. If another process of Knudge has written
 * the version last, it is the mark of that version, which leads on to the span of the write. Undefined for a write of anybody else.
 */
function writerOf(tracer: Tracer, change: Change | undefined): SpanContext | undefined {
  const { uid, resourceVersion = '', managedFields = [] } = change?.hint?.metadata ?? {};
  if (uid === undefined) return undefined;
  const version = { uid, resourceVersion };
  const writer = tracer.writerOf(version);
  // A deletion at once has made no version, and who deleted is in no field.
  if (change?.verb === 'deleted') return writer ?? tracer.writerOf({ uid, resourceVersion: '' });
  return writer ?? (lastWritten(managedFields).some(isOurs) ? tracer.markOf(version) : undefined);
}

function isOurs(entry: { readonly manager?: string }): boolean {
  return entry.manager === manager;
}
