import type { DistributedServiceSpec } from '../../../../resources/distributed-service/types.ts';
import { tcpSpec } from '../../../build/objects.ts';
import * as cast from '../../scenarios/cast.ts';

const app = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'app' } as const;

/** The specs that a person writes: each way to find backends, each type of service, each way to a certificate. */
const shapes: readonly Partial<DistributedServiceSpec>[] = [
  {},
  cast.generated,
  { ...cast.bySelector, ...cast.generated },
  cast.supplied,
  { serviceType: 'http', expose: { domains: ['web.example.com'] } },
  { serviceType: 'udp', backends: { discovery: 'auto', port: 5353, replicas: 1 }, expose: { remotePort: 5300 } },
  { backends: { discovery: 'manual', replicas: 1, endpoints: [{ host: '10.1.0.1', port: 8080, weight: 1 }] } },
  { backends: { discovery: 'manual', port: 8080, replicas: 1, endpoints: [{ host: 'shop', weight: 2 }] } },
  { backends: { discovery: 'auto', port: 'http', replicas: 1 } },
  { backends: { discovery: 'auto', port: 8080, replicas: 2, workloadRef: app } },
  { serverProfile: 'second', ...cast.generated },
  {
    backends: {
      discovery: 'selector',
      port: 8080,
      replicas: 1,
      selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['shop'] }] },
    },
  },
];

export function shapeOf(how: number): DistributedServiceSpec {
  return { ...tcpSpec, ...shapes[how % shapes.length] };
}

/** The merge patch (RFC 7386) that makes one value of another. */
export function patchBetween(from: unknown, to: unknown): unknown {
  if (!isObject(from) || !isObject(to)) return to;
  const gone = Object.keys(from).filter((key) => !(key in to));
  const there = Object.entries(to).map(([key, value]) => [key, patchBetween(Reflect.get(from, key), value)] as const);
  return { ...Object.fromEntries(gone.map((key) => [key, null])), ...Object.fromEntries(there) };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
