import type { ServerProfile } from '../frp/server-profile.ts';
import type { DistributedServiceSpec } from '../types.ts';
import { fileNames, type Layout, podLayout, upstreamCluster } from './data-plane.ts';
import { adminCluster, publishedClusters } from './envoy-clusters.ts';
import { envoyHealthCheck } from './envoy-health-check.ts';
import { filter, ingressListener, probeListener } from './envoy-listeners.ts';

export interface EnvoyInput {
  readonly namespace: string;
  readonly name: string;
  readonly spec: Pick<DistributedServiceSpec, 'serviceType' | 'loadBalancing'>;
  /** The FRP server; absent if the service has no proxy there. */
  readonly server?: Pick<ServerProfile, 'address' | 'port'>;
  /** The files, ports and admin socket; those of the Pod if absent. */
  readonly layout?: Layout;
}

/** The arguments of the command `envoy`. */
export const envoyArguments: readonly string[] = [
  '-c',
  `${podLayout.configPath}/${fileNames.envoy}`,
  // With several workers each one takes its own turns, so that the requests of all together no longer take turns.
  '--concurrency',
  '1',
  // A hot restart needs shared memory that can be written, which a read-only container does not have.
  '--disable-hot-restart',
  // Without this, Envoy accepts a misspelt field in eds.json as a list without endpoints.
  '--reject-unknown-dynamic-fields',
  '-l',
  'warning',
];

/** The text of envoy.json: one listener for the service, its backends from a file, and a port for the kubelet. */
export function envoyBootstrap(input: EnvoyInput): string {
  const { namespace, name, spec, server, layout = podLayout } = input;
  const admin = { pipe: { path: `@${layout.adminSocket}`, mode: 0 } };
  const bootstrap = {
    node: { id: `${namespace}/${name}`, cluster: 'distributedservice' },
    // Every container of the Pod can reach the admin interface, which has no authentication. So only paths that read are allowed.
    admin: {
      address: admin,
      allow_paths: [{ exact: '/ready' }, { prefix: '/stats' }, { prefix: '/clusters' }],
      ignore_global_conn_limit: true,
    },
    overload_manager: { resource_monitors: [connectionLimit] },
    static_resources: {
      listeners: [
        ingressListener(spec.serviceType, layout.ingressPort),
        probeListener(layout.probePort, {
          asksBackends: spec.loadBalancing.healthCheck !== undefined,
          asksFrpc: server !== undefined,
        }),
      ],
      clusters: [
        backends(`${name}.${namespace}`, spec, layout),
        adminCluster(admin),
        ...(server === undefined ? [] : publishedClusters(server, layout)),
      ],
    },
  };
  return `${JSON.stringify(bootstrap, null, 2)}\n`;
}

const connectionLimit = filter(
  'envoy.resource_monitors.global_downstream_max_connections',
  'envoy.extensions.resource_monitors.downstream_connections.v3.DownstreamConnectionsConfig',
  { max_active_downstream_connections: 20000 },
);

function backends(host: string, spec: EnvoyInput['spec'], layout: Layout): object {
  const { serviceType, loadBalancing } = spec;
  const folder = layout.endpointsPath;
  const { algorithm, healthCheck } = loadBalancing;
  return {
    name: upstreamCluster,
    type: 'EDS',
    eds_cluster_config: {
      eds_config: {
        // A kubelet replaces a ConfigMap's files by renaming a link beside them: Envoy sees that only if it watches the folder.
        path_config_source: { path: `${folder}/${fileNames.endpoints}`, watched_directory: { path: folder } },
      },
    },
    connect_timeout: '1s',
    ...balancing[algorithm],
    // Otherwise a backend that was removed keeps getting traffic for as long as it answers its health checks.
    ignore_health_on_host_removal: true,
    // If every backend is unhealthy, Envoy answers with an error instead of trying a backend that is known to fail.
    common_lb_config: { healthy_panic_threshold: { value: 0 } },
    circuit_breakers: { thresholds: [generousLimits] },
    ...(serviceType === 'http' && { typed_extension_protocol_options: sameProtocol }),
    ...(healthCheck !== undefined && { health_checks: [envoyHealthCheck(healthCheck, host)] }),
  };
}

const balancing = {
  'round-robin': { lb_policy: 'ROUND_ROBIN' },
  random: { lb_policy: 'RANDOM' },
  // By default Envoy takes the better of two random backends. This asks for the best of all, which lb_policy cannot do.
  'least-conn': {
    load_balancing_policy: {
      policies: [
        {
          typed_extension_config: filter(
            'envoy.load_balancing_policies.least_request',
            'envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest',
            { selection_method: 'FULL_SCAN' },
          ),
        },
      ],
    },
  },
} as const;

/** Envoy's default limit is 1,024: that many open connections reach it, or 17 new udp clients a second. */
const generousLimits = {
  priority: 'DEFAULT',
  max_connections: 65536,
  max_pending_requests: 65536,
  max_requests: 65536,
  max_retries: 64,
};

/**
 * Envoy speaks to a backend the protocol that the client speaks: gRPC from clients inside the cluster needs HTTP/2, because HTTP/1.1 loses
 * its trailers. Requests through frp arrive as HTTP/1.1 whatever the client speaks, so gRPC through frp needs a tcp service.
 */
const sameProtocol = {
  'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
    '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions',
    use_downstream_protocol_config: { http_protocol_options: {}, http2_protocol_options: {} },
  },
};
