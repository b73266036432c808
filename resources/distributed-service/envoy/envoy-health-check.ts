import { KnudgeError } from '../../../packages/controller/domain/errors.ts';
import type { DistributedServiceSpec } from '../types.ts';

type HealthCheck = NonNullable<DistributedServiceSpec['loadBalancing']['healthCheck']>;

/**
 * Envoy's form of a health check. It takes failureThreshold times interval and timeout to find a backend that hangs instead of refusing.
 * @param host the Host header of an http check
 * @throws KnudgeError `invalid-object` for a duration in another form than 5s, 500ms or 1m
 */
export function envoyHealthCheck(healthCheck: HealthCheck, host: string): object {
  const interval = toSeconds(healthCheck.interval);
  return {
    interval,
    timeout: toSeconds(healthCheck.timeout),
    unhealthy_threshold: healthCheck.failureThreshold,
    healthy_threshold: healthCheck.successThreshold,
    // By default Envoy probes a service without traffic once a minute, so that its first requests would meet dead backends.
    no_traffic_interval: interval,
    no_traffic_healthy_interval: interval,
    initial_jitter: '1s',
    ...(healthCheck.type === 'http' ? { http_health_check: httpCheck(healthCheck, host) } : { tcp_health_check: {} }),
  };
}

function httpCheck({ path = '/' }: HealthCheck, host: string): object {
  return {
    path,
    host,
    // Any status not listed here ejects a backend at once, whatever the failureThreshold. Ends are exclusive.
    retriable_statuses: [
      { start: 100, end: 200 },
      { start: 201, end: 600 },
    ],
  };
}

/** `500ms` → `0.5s`: a duration as protobuf's JSON has it. */
function toSeconds(duration: string): string {
  const [, amount, unit] = /^([1-9][0-9]{0,5})(ms|s|m)$/.exec(duration) ?? [];
  switch (unit) {
    case 'ms':
      return `${String(Number(amount) / 1000)}s`;
    case 's':
      return `${String(amount)}s`;
    case 'm':
      return `${String(Number(amount) * 60)}s`;
    default:
      throw new KnudgeError(
        'invalid-object',
        `${JSON.stringify(duration)} is not a duration: write it as 500ms, 5s or 1m`,
      );
  }
}
