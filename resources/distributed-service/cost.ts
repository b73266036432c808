import { mostControllers } from '../../packages/controller/decide/controllers.ts';
import type { Budget } from '../../packages/controller/domain/budget.ts';
import { mostHolders } from './claims/claim-holders.ts';
import { mostNamedHosts } from './inputs.ts';
import { problemOf } from './spec/problem.ts';
import type { DistributedService } from './types.ts';

type Cost = Pick<Budget, 'reads' | 'writes'>;

/**
 * Reads: the profile here and in the controller's namespace, Pods, Services and slices of backends, the Pods of the tunnel, a certificate
 * or an authority, the token. Writes: an authority, its successor, and the scale of a workload or of the tunnel.
 */
const always: Cost = { reads: 8, writes: 4 };

/**
 * The workload, who says by a label to scale it, and those of them that are looked at. It is asked after by a number that does not
 * grow with how many say so.
 */
const ofWorkload: Cost = { reads: 2 + mostControllers, writes: 0 };

/**
 * What one pass over a service may cost by what its spec names: hosts of endpoints, a workload, and what it wants at its server. The
 * labels and claims of others are looked at by numbers that do not grow with them.
 */
export function costOf({ spec, metadata }: DistributedService): Cost {
  // Of a spec that makes no sense nothing is read, and of a service that goes only what is left of it.
  if (metadata.deletionTimestamp !== undefined || problemOf(spec) !== undefined) return always;
  const { endpoints = [], workloadRef } = spec.backends;
  const parts: readonly Cost[] = [
    always,
    { reads: Math.min(endpoints.length, mostNamedHosts), writes: 0 },
    ...(workloadRef === undefined ? [] : [ofWorkload]),
    costOfExposure(spec.expose),
  ];
  return {
    reads: parts.reduce((sum, { reads }) => sum + reads, 0),
    writes: parts.reduce((sum, { writes }) => sum + writes, 0),
  };
}

/**
 * Of each host or port its Claim, who holds that, hosts below it where it is a wildcard, and one list for each path by which it could
 * be had before there were Claims. Once for all: wildcards above, who holds the first rival among them, who waits for what is free, and who
 * is found by those lists. The last that is taken in a pass may be another's: then it is stepped back from and waited for.
 */
function costOfExposure({ domains = [], subdomain, remotePort, locations = [] }: Exposure = {}): Cost {
  const wants = domains.length + [subdomain, remotePort].filter((one) => one !== undefined).length;
  if (wants === 0) return { reads: 0, writes: 0 };
  const ofEach = 1 + mostHolders + 1 + locations.length + anyPath;
  return { reads: wants * ofEach + 2 + mostHolders + mostControllers, writes: wants + 2 };
}

type Exposure = NonNullable<DistributedService['spec']['expose']>;

/** The paths `` and `/`, which stand for all of a host. */
const anyPath = 2;
