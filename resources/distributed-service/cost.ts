import { mostControllers } from '../../packages/controller/decide/controllers.ts';
import type { Budget } from '../../packages/controller/domain/budget.ts';
import { mostHolders } from './claims/claim-holders.ts';
import { mostNamedHosts } from './inputs.ts';
import { problemOf } from './spec/problem.ts';
import type { DistributedService } from './types.ts';

type Cost = Pick<Budget, 'reads' | 'writes'>;

/**
 * The cost that every service may have. Reads: the profile in its namespace and in the controller's, the Pods, Services and slices of
 * backends, the Pods of the tunnel, a certificate or an authority, the token. Writes: an authority, its successor, and the scale of a
 * workload or of the tunnel.
 */
const always: Cost = { reads: 8, writes: 4 };

/**
 * The reads of the workload, of the list of Services whose label says that they scale it, and of their owners. At most `mostControllers`
 * owners are read, so the cost does not grow with the number of Services.
 */
const ofWorkload: Cost = { reads: 2 + mostControllers, writes: 0 };

/**
 * The most that one pass over a service may cost. It depends on what the spec names (hosts of endpoints, a workload, hosts and ports at the
 * FRP server), and not on how many labels and Claims others have.
 */
export function costOf({ spec, metadata }: DistributedService): Cost {
  // Nothing is read for a spec that makes no sense, and for a service that is being deleted only what is left of it.
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
 * Reads for each host or port: its Claim, the holders of that, hosts below it if it is a wildcard, and one list for each path, by whose
 * label it could be held before there were Claims. Reads once for all: wildcards above, the holders of the first rival, the services that
 * wait for a free Claim, and the services that those lists find. Writes: a Claim for each, and two more, because a pass may withdraw its
 * last Claim for a rival and wait.
 */
function costOfExposure({ domains = [], subdomain, remotePort, locations = [] }: Exposure = {}): Cost {
  const wants = domains.length + [subdomain, remotePort].filter((one) => one !== undefined).length;
  if (wants === 0) return { reads: 0, writes: 0 };
  const ofEach = 1 + mostHolders + 1 + locations.length + anyPath;
  return { reads: wants * ofEach + 2 + mostHolders + mostControllers, writes: wants + 2 };
}

type Exposure = NonNullable<DistributedService['spec']['expose']>;

/** The paths `` and `/`, which stand for the whole host. */
const anyPath = 2;
