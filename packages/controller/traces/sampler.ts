/** The samplers of OpenTelemetry's specification, by the names that `OTEL_TRACES_SAMPLER` has for them. */
export const samplers = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

/** Whether spans of a trace are sent; `byParent` is what the sender of the event has decided, if it has said so. */
export type Sampler = (traceId: string, byParent: boolean | undefined) => boolean;

/** The sampler of this name; the ratio is from 0 to 1. */
export function samplerOf(name: (typeof samplers)[number], ratio: number): Sampler {
  const root = rootOf(name, ratio);
  return name.startsWith('parentbased_') ? (traceId, byParent) => byParent ?? root(traceId) : root;
}

function rootOf(name: (typeof samplers)[number], ratio: number): (traceId: string) => boolean {
  if (name.endsWith('always_on')) return () => true;
  if (name.endsWith('always_off')) return () => false;
  // By the last digits, which W3C Trace Context asks to be random: each process decides the same.
  return (traceId) => Number.parseInt(traceId.slice(-digits), 16) >= (1 - ratio) * 16 ** digits;
}

/** As many as a double has room for. */
const digits = 13;
