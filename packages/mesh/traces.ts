import { KnudgeError } from '../controller/domain/errors.ts';
import type { Tracer } from '../controller/domain/spans.ts';
import { timer } from '../controller/server/deadline.ts';
import { tracesIn } from '../controller/server/traces-config.ts';
import { contextOfEvent, traceparentOf } from '../controller/traces/context.ts';
import { startTracer } from '../start/tracing.ts';
import type { Answer, CloudEvent, Deliver, Destination } from './cloud-event.ts';
import type { MeshParts } from './mesh-parts.ts';

/** Milliseconds that the end of the mesh waits for a collector. */
const patience = 2000;

/** Delivers as before; each try is a span, where the environment names a collector. Throws `misuse` if it is wrong. */
export function traceMesh(
  { env, report, closers }: Pick<MeshParts, 'env' | 'report' | 'closers'>,
  deliver: Deliver,
): Deliver {
  const problems: string[] = [];
  const { traces } = tracesIn(env, problems, 'mesh');
  if (problems.length > 0) throw new KnudgeError('misuse', `the environment is wrong: ${problems.join('; ')}`);
  if (traces === undefined) return deliver;
  const { tracer, flush } = startTracer(traces, {
    after: timer,
    now: () => performance.now(),
    counted: () => undefined,
    trouble: (why, spans) =>
      report({ kind: 'warning', about: 'traces', text: `${String(spans)} spans are lost: the collector: ${why}` }),
  });
  closers.push(() => Promise.race([flush(), new Promise<void>((resolve) => setTimeout(resolve, patience).unref())]));
  return traceDeliveries(tracer, deliver);
}

/** The same way for events, where each try is a span: what it is delivered to is below it. An event without a trace begins one. */
export function traceDeliveries(tracer: Tracer, deliver: Deliver): Deliver {
  return async (to, event, timeoutMs) => {
    const { parent, links } = contextOfEvent(event.headers ?? {}, new Map(Object.entries(event.attributes)));
    const attributes = attributesOf(event, nameOf(to));
    const span = tracer.start(`send ${nameOf(to)}`, { kind: 'producer', parent, links, attributes });
    const headers = { ...event.headers, traceparent: traceparentOf(span.context) };
    const answer = await deliver(to, { ...event, headers }, timeoutMs);
    span.end(endOf(answer));
    return answer;
  };
}

function endOf(answer: Answer): Parameters<ReturnType<Tracer['start']>['end']>[0] {
  if (answer.kind === 'failed') return { error: answer.why };
  const attributes = { 'http.response.status_code': answer.status };
  return answer.status < 400 ? { attributes } : { attributes, error: `it answered ${String(answer.status)}` };
}

function attributesOf({ attributes: { id, source, type } }: CloudEvent, destination: string) {
  return {
    'messaging.system': 'knative',
    'messaging.operation.name': 'send',
    'messaging.operation.type': 'send',
    'messaging.destination.name': destination,
    'cloudevents.event_id': id,
    'cloudevents.event_source': source,
    'cloudevents.event_type': type,
  };
}

function nameOf(to: Destination): string {
  switch (to.kind) {
    case 'uri':
      return new URL(to.uri).host;
    case 'function':
      return `${to.name}${to.path === undefined || to.path === '/' ? '' : to.path}`;
    case 'broker':
    case 'channel':
      return `${to.kind} ${to.name}`;
  }
}
