import { KnudgeError } from '../../../packages/controller/domain/errors.ts';
import type { DistributedServiceSpec } from '../types.ts';

type HealthCheck = NonNullable<DistributedServiceSpec['loadBalancing']['healthCheck']>;

/**
 * Envoy's form of a health check. A backend that hangs, and does not refuse, is found out after failureThreshold times
 * interval and timeout.
 * @param host what an http check gives as Host
 * @throws KnudgeError `invalid-object` for a duration in another form than 5s, 500ms or 1m
 */
export function envoyHealthCheck(healthCheck: HealthCheck, host: string): object {
  const interval = toSeconds(healthCheck.interval);
  return {
    interval,
    timeout: toSeconds(healthCheck.timeout),
    unhealthy_threshold: healthCheck.failureThreshold,
    healthy_threshold: healthCheck.successThreshold,
    // A service without traffic is probed once a minute otherwise, and its first requests meet the dead.
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
