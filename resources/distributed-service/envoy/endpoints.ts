import { KnudgeError } from '../../../packages/controller/domain/errors.ts';
import { parseIp } from '../discovery/ip-address.ts';
import { type Backend, mostBackends, upstreamCluster } from './data-plane.ts';

interface Place extends Backend {
  readonly bytes: readonly number[];
}

/**
 * The text of eds.json: the ready backends, sorted, each once (with its greatest weight), the first 256 if there are more. Its
 * version is the hash of the list, so that Envoy's version_text says which list is live. Without a ready backend Envoy refuses
 * every request.
 * @param hash gives the same short text for the same text
 * @param healthCheckPort the port of each backend that Envoy probes, instead of the one that serves
 * @throws KnudgeError `internal` for an address that is no IP: Envoy would refuse the whole file
 */
export function endpointsFile(
  backends: readonly Backend[],
  hash: (text: string) => string,
  healthCheckPort?: number,
): string {
  const endpoints = unique(backends.filter(({ ready }) => ready).map(toPlace))
    .slice(0, mostBackends)
    .map(({ address, port, weight }) => ({
      endpoint: {
        address: { socket_address: { address, port_value: port } },
        ...(healthCheckPort !== undefined && { health_check_config: { port_value: healthCheckPort } }),
      },
      load_balancing_weight: weight,
    }));
  const assignment = {
    '@type': 'type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment',
    cluster_name: upstreamCluster,
    // An empty list must stay an assignment with no endpoints: `resources: []` would leave the old ones in use.
    endpoints: endpoints.length === 0 ? [] : [{ lb_endpoints: endpoints }],
  };
  const version = hash(JSON.stringify(assignment));
  return `${JSON.stringify({ version_info: version, resources: [assignment] }, null, 2)}\n`;
}

function toPlace(backend: Backend): Place {
  const bytes = parseIp(backend.address);
  if (bytes === undefined) {
    throw new KnudgeError(
      'internal',
      `backend ${JSON.stringify(backend.address)} is not an IP address: look its addresses up first`,
    );
  }
  return { ...backend, bytes };
}

/** The places, sorted by address (IPv4 first) and port. Of several entries for one place it keeps the one with the greatest weight. */
function unique(places: readonly Place[]): readonly Place[] {
  const sorted = places.toSorted(
    (a, b) => comparePlaces(a, b) || b.weight - a.weight || (a.address < b.address ? -1 : 1),
  );
  return sorted.filter((place, index) => {
    const before = sorted[index - 1];
    return before === undefined || comparePlaces(before, place) !== 0;
  });
}

function comparePlaces(a: Place, b: Place): number {
  if (a.bytes.length !== b.bytes.length) return a.bytes.length - b.bytes.length;
  for (const [index, byte] of a.bytes.entries()) {
    const difference = byte - (b.bytes[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.port - b.port;
}
