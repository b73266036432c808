import type { DistributedServiceSpec } from '../../resources/distributed-service/types.ts';

type Expose = NonNullable<DistributedServiceSpec['expose']>;

/** What somebody of another namespace may write to get the requests of a host: paths, and wildcards. */
export function wishesFor(host: string) {
  return {
    paths: {
      'its very name': { domains: [host] },
      'its longest path': { domains: [host], locations: ['/'] },
      'one longer path': { domains: [host], locations: ['/login'] },
    },
    wildcards: {
      'a wildcard above it': { domains: [`*.${host.slice(host.indexOf('.') + 1)}`] },
      'a wildcard below it': { domains: [`*.${host}`] },
    },
  } satisfies Readonly<Record<string, Readonly<Record<string, Expose>>>>;
}
