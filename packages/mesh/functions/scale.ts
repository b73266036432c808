import type { FunctionSpec } from '../mesh-spec.ts';

/** The autoscaler adds instances when this share of what they may hold is in use. */
const utilization = 0.7;

/** Seconds; Kubernetes' own bound is five minutes, but here a person waits. */
const longestRestartDelay = 32;

/**
 * How many instances Knative's autoscaler wants for this many requests at once: 20 at containerConcurrency 1 are 29
 * (measured on Knative Serving). Never more than maxScale, never fewer than minScale.
 */
export function wantedInstances(
  { containerConcurrency, target, minScale, maxScale }: FunctionSpec,
  requests: number,
): number {
  const perInstance = (containerConcurrency > 0 ? containerConcurrency : Math.max(target, 1)) * utilization;
  const wanted = Math.max(Math.ceil(requests / perInstance), minScale);
  return maxScale > 0 ? Math.min(wanted, maxScale) : wanted;
}

/**
 * Milliseconds until the next start after this many crashes in a row. An instance that had served is started again at once, as
 * the kubelet does; from then on each wait is twice the last.
 */
export function restartDelay(crashes: number, hadListened: boolean): number {
  const waits = hadListened ? crashes - 1 : crashes;
  return waits <= 0 ? 0 : Math.min(2 ** (waits - 1), longestRestartDelay) * 1000;
}
