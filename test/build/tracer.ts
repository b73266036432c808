import assert from 'node:assert/strict';
import type { SpanContext, Traced, Tracer } from '../../packages/controller/domain/spans.ts';
import type { Ended } from '../../packages/controller/traces/otlp.ts';
import { samplerOf } from '../../packages/controller/traces/sampler.ts';
import { createTracer } from '../../packages/controller/traces/tracer.ts';

export interface TestTracer {
  readonly tracer: Tracer;
  /** What has ended. */
  readonly spans: readonly Ended[];
  /** The one span of this name. */
  named(name: string): Ended;
  /** A span that has begun. */
  begin(name?: string, parent?: SpanContext): Traced;
}

/** A tracer that keeps what would be sent. */
export function testTracer(): TestTracer {
  const spans: Ended[] = [];
  const sampler = samplerOf('parentbased_always_on', 1);
  const tracer = createTracer({ sampler, now: Date.now, ended: (span) => spans.push(span) });
  return {
    tracer,
    spans,
    named: (name) => {
      const found = spans.filter((span) => span.name === name);
      const [one] = found;
      assert.ok(one && found.length === 1, `${name} in ${spans.map((span) => span.name).join(', ')}`);
      return one;
    },
    begin: (name = 'event', parent) => ({ tracer, span: tracer.start(name, { kind: 'consumer', parent }) }),
  };
}
