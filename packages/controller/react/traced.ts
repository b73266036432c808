import type { Metered } from '../cluster/counted.ts';
import { asKnudgeError } from '../domain/errors.ts';
import type { ObjectRef } from '../domain/kube-object.ts';
import type { Traced } from '../domain/spans.ts';

/** The same cluster; each call to it is a span, where something is traced. */
export function tracedBy(traced: Traced | undefined, cluster: Metered): Metered {
  return (traced && cluster.traced?.(traced)) ?? cluster;
}

/**
 * The span of a run over a parent: in the trace of the first event that asked for it, sampled if one is. It is linked with the spans
 * of the others, and these with it.
 */
export function beginRun(
  ref: ObjectRef,
  asks: readonly { readonly traced?: Traced | undefined }[],
): Traced | undefined {
  const all = asks.flatMap(({ traced }) => traced ?? []);
  const first = all.find(({ span }) => span.context.isSampled) ?? all[0];
  if (first === undefined) return undefined;
  const { tracer } = first;
  const others = all.filter((one) => one !== first);
  const span = tracer.start(`reconcile ${ref.kind}`, {
    kind: 'internal',
    parent: first.span.context,
    links: others.map((one) => one.span.context),
    attributes: {
      'knudge.object.kind': ref.kind,
      'knudge.object.name': ref.name,
      ...(ref.namespace !== '' && { 'k8s.namespace.name': ref.namespace }),
    },
  });
  for (const other of others) other.span.link(span.context);
  return { tracer, span };
}

/** The id of the trace that a span is sent in. */
export function sentTraceOf(traced: Traced | undefined): string | undefined {
  const { isSampled = false, traceId } = traced?.span.context ?? {};
  return isSampled ? traceId : undefined;
}

/** The same run, whose end is the end of its span. */
export async function endingRun<Result extends { readonly result: string }>(
  { span }: Traced,
  run: Promise<Result>,
): Promise<Result> {
  try {
    const done = await run;
    span.end({ attributes: { 'knudge.outcome': done.result } });
    return done;
  } catch (error) {
    const { code, message } = asKnudgeError(error);
    span.end({ attributes: { 'error.type': code }, error: message });
    throw error;
  }
}
