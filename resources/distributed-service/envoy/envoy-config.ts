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
  /** The FRP server, where the service takes something there. */
  readonly server?: Pick<ServerProfile, 'address' | 'port'>;
  /** Where files, ports and the admin socket are; those of the Pod if absent. */
  readonly layout?: Layout;
}

/** What Envoy is started with. */
export const envoyArguments: readonly string[] = [
  '-c',
  `${podLayout.configPath}/${fileNames.envoy}`,
  // With more than one worker each takes turns by itself, and all together no longer do.
  '--concurrency',
  '1',
  // It needs shared memory that can be written, which a read-only container has not.
  '--disable-hot-restart',
  // Without it a misspelt field in eds.json is accepted as a list without endpoints.
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
    // Every container of the Pod can reach the admin interface, which has no authentication: only what reads is open.
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
        // A ConfigMap's files are swapped by renaming a link beside them: Envoy sees it only if it watches the folder.
        path_config_source: { path: `${folder}/${fileNames.endpoints}`, watched_directory: { path: folder } },
      },
    },
    connect_timeout: '1s',
    ...balancing[algorithm],
    // Otherwise a backend that was removed keeps getting traffic for as long as it answers its health checks.
    ignore_health_on_host_removal: true,
    // Where every backend is unhealthy the answer is an error, and not a backend that is known to fail.
    common_lb_config: { healthy_panic_threshold: { value: 0 } },
    circuit_breakers: { thresholds: [generousLimits] },
    ...(serviceType === 'http' && { typed_extension_protocol_options: sameProtocol }),
    ...(healthCheck !== undefined && { health_checks: [envoyHealthCheck(healthCheck, host)] }),
  };
}

const balancing = {
  'round-robin': { lb_policy: 'ROUND_ROBIN' },
  random: { lb_policy: 'RANDOM' },
  // By default the better of two backends drawn at random; lb_policy cannot ask for the best of all.
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

/** The default, 1024, is reached by 1,024 held connections, or by 17 new udp clients a second. */
const generousLimits = {
  priority: 'DEFAULT',
  max_connections: 65536,
  max_pending_requests: 65536,
  max_requests: 65536,
  max_retries: 64,
};

/**
 * A backend is spoken to as the client spoke: HTTP/2 carries gRPC from clients inside the cluster, which lose their
 * trailers otherwise. What comes through frp is HTTP/1.1 whatever the client spoke; gRPC from there needs a tcp service.
 */
const sameProtocol = {
  'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
    '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions',
    use_downstream_protocol_config: { http_protocol_options: {}, http2_protocol_options: {} },
  },
};
