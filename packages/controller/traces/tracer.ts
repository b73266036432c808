import type { Span, SpanContext, SpanEnd, SpanStart, Tracer } from '../domain/spans.ts';
import { randomId } from './ids.ts';
import type { Ended } from './otlp.ts';
import type { Sampler } from './sampler.ts';
import { keepWriters, markOf } from './writers.ts';

export interface TracerParts {
  readonly sampler: Sampler;
  /** Milliseconds since 1970, with a fraction. */
  readonly now: () => number;
  /** Gets each span that is to be sent, at its end. */
  readonly ended: (span: Ended) => void;
}

/** Hands spans to `ended`. One whose trace is not sampled has a context all the same, for those that come after it. */
export function createTracer({ sampler, now, ended }: TracerParts): Tracer {
  const writers = keepWriters();
  return {
    now,
    start: (name, how) => {
      const context = contextOf(how.parent, sampler);
      return spanOf({ ...how, name, context, began: how.began ?? now() }, { now, ended });
    },
    wrote: (version, by) => {
      if (!by.isSampled) return;
      writers.wrote(version, by);
      const { uid, resourceVersion } = version;
      // Of a deletion at once no other process can know.
      if (resourceVersion === '') return;
      const span = { name: 'written', context: markOf(version), kind: 'producer', links: [by] } as const;
      const at = now();
      const attributes = { 'knudge.object.uid': uid, 'knudge.object.version': resourceVersion };
      ended({ ...span, parentSpanId: undefined, began: at, ended: at, attributes, error: undefined });
    },
    writerOf: writers.writerOf,
    markOf,
  };
}

/** In the trace of its parent, or in one that begins with it. */
function contextOf(parent: SpanContext | undefined, sampler: Sampler): SpanContext {
  const traceId = parent?.traceId ?? randomId(16);
  return { traceId, spanId: randomId(8), isSampled: sampler(traceId, parent?.isSampled) };
}

interface Begun extends SpanStart {
  readonly name: string;
  readonly context: SpanContext;
  readonly began: number;
}

function spanOf(
  { name, context, kind, parent, links = [], attributes = {}, began }: Begun,
  { now, ended }: Pick<TracerParts, 'now' | 'ended'>,
): Span {
  const linked = [...links];
  let isOver = !context.isSampled;
  return {
    context,
    link: (to) => {
      if (!isOver) linked.push(to);
    },
    end: ({ attributes: more, error, at = now() }: SpanEnd = {}) => {
      if (isOver) return;
      isOver = true;
      const all = { ...attributes, ...more };
      ended({
        name,
        context,
        parentSpanId: parent?.spanId,
        kind,
        began,
        ended: Math.max(at, began),
        links: linked,
        attributes: all,
        error,
      });
    },
  };
}
