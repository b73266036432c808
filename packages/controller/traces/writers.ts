import { createHash } from 'node:crypto';
import type { SpanContext, Tracer, Version } from '../domain/spans.ts';

/** The versions that are remembered, the oldest are forgotten first: their events come within seconds. */
const most = 4096;

/**
 * Remembers which span has written which version. An API server hands no context from a write to a watch, so the event of a write
 * finds its span by what both know.
 */
export function keepWriters(): Pick<Tracer, 'wrote' | 'writerOf'> {
  const writers = new Map<string, SpanContext>();
  return {
    wrote: (version, by) => {
      writers.set(keyOf(version), by);
      const [oldest] = writers.keys();
      if (writers.size > most && oldest !== undefined) writers.delete(oldest);
    },
    writerOf: (version) => writers.get(keyOf(version)),
  };
}

/** The same in every process: its ids are made of the version. */
export function markOf(version: Version): SpanContext {
  const digits = createHash('sha256').update(keyOf(version)).digest('hex');
  return { traceId: digits.slice(0, 32), spanId: digits.slice(32, 48), isSampled: true };
}

function keyOf({ uid, resourceVersion }: Version): string {
  return `${uid}/${resourceVersion}`;
}
