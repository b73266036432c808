import type { DistributedServiceSpec } from '../types.ts';
import { adminAccess, probePaths, proxiesCluster, upstreamCluster } from './data-plane.ts';

/** An extension of Envoy, from its name and the full name of the message that configures it. */
export function filter(name: string, type: string, config: object): object {
  return { name, typed_config: { '@type': `type.googleapis.com/${type}`, ...config } };
}

/** The listener for the service's own traffic: from frpc over the loopback, from the cluster through a Service. */
export function ingressListener(serviceType: DistributedServiceSpec['serviceType'], port: number): object {
  switch (serviceType) {
    case 'http':
      return { ...listener('ingress', port, 'TCP'), filter_chains: [{ filters: [httpProxy] }] };
    case 'tcp':
      return { ...listener('ingress', port, 'TCP'), filter_chains: [{ filters: [tcpProxy] }] };
    case 'udp':
      return { ...listener('ingress', port, 'UDP'), udp_listener_config: {}, listener_filters: [udpProxy] };
  }
}

/**
 * The listener for the kubelet, the controller and Prometheus, which cannot reach Envoy's Unix socket. It answers whether Envoy is ready,
 * whether a backend is healthy, which endpoints are live, and figures of the traffic. It refuses all other paths.
 */
export function probeListener(
  port: number,
  { asksBackends, asksFrpc }: { readonly asksBackends: boolean; readonly asksFrpc: boolean },
): object {
  const only = (path: string, route: object): object => ({ match: { path, headers: exactly(path) }, route });
  const routes = [
    { match: { path: probePaths.ready, headers: [get] }, route: { cluster: 'admin' } },
    only(probePaths.endpoints, { cluster: 'admin', prefix_rewrite: liveEndpoints }),
    only(probePaths.metrics, { cluster: 'admin', prefix_rewrite: traffic }),
    ...(asksFrpc
      ? [
          only(probePaths.proxies, { cluster: 'frpc', prefix_rewrite: '/api/status' }),
          only(probePaths.server, { cluster: 'server' }),
        ]
      : []),
    { match: { prefix: '/' }, direct_response: { status: 403 } },
  ];
  const filters = [
    ...(asksBackends ? [isAnyHealthy(probePaths.backends, upstreamCluster)] : []),
    ...(asksFrpc ? [isAnyHealthy(probePaths.published, proxiesCluster), signIn] : []),
    router,
  ];
  const config = { stat_prefix: 'probe', codec_type: 'HTTP1', route_config: routeTo(routes), http_filters: filters };
  return {
    ...listener('probe', port, 'TCP'),
    // A service at its limit of connections is busy, not dead.
    ignore_global_conn_limit: true,
    filter_chains: [{ filters: [connectionManager(config)] }],
  };
}

const get = { name: ':method', string_match: { exact: 'GET' } };

/** Matches the path without a query. A query would reach the admin interface, and could ask it for more than this path should show. */
function exactly(path: string): readonly object[] {
  return [{ name: ':path', string_match: { exact: path } }, get];
}

/** The path of the few statistics that say which endpoints are live. */
const liveEndpoints = `/stats?filter=^cluster%5C.${upstreamCluster}%5C.(version_text|membership_healthy|membership_total|update_failure|update_rejected)$`;

/** The path of the statistics of the service's own traffic: connections and requests of clients, healthy backends, and whether frpc's proxy runs. */
const traffic = `/stats/prometheus?filter=^((http%7Ctcp%7Cudp)%5C.ingress%5C.downstream_%7Ccluster%5C.(${upstreamCluster}%7C${proxiesCluster})%5C.(membership_%7Cupstream_cx_active))`;

/** Answers 200 if at least one backend in a hundred is healthy: Envoy compares whole per cents, and 0 would be true without any. */
function isAnyHealthy(path: string, cluster: string): object {
  return filter('envoy.filters.http.health_check', 'envoy.extensions.filters.http.health_check.v3.HealthCheck', {
    pass_through_mode: false,
    cluster_min_healthy_percentages: { [cluster]: { value: 1 } },
    headers: exactly(path),
  });
}

/** Adds the password to questions for frpc's admin API, and to no others. The password is in the environment alone. */
const signIn = filter('envoy.filters.http.lua', 'envoy.extensions.filters.http.lua.v3.Lua', {
  default_source_code: {
    inline_string: `function envoy_on_request(handle)
  local headers = handle:headers()
  headers:remove("authorization")
  if headers:get(":path") == "${probePaths.proxies}" then
    headers:add("authorization", "Basic " .. handle:base64Escape("${adminAccess.user}:" .. (os.getenv("${adminAccess.password}") or "")))
  end
end
`,
  },
});

function listener(name: string, port: number, protocol: 'TCP' | 'UDP'): object {
  return { name, address: { socket_address: { address: '0.0.0.0', port_value: port, protocol } } };
}

function connectionManager(config: object): object {
  const type = 'envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
  return filter('envoy.filters.network.http_connection_manager', type, config);
}

function routeTo(routes: readonly object[]): object {
  return { virtual_hosts: [{ name: 'all', domains: ['*'], routes }] };
}

const router = filter('envoy.filters.http.router', 'envoy.extensions.filters.http.router.v3.Router', {
  suppress_envoy_headers: true,
});

/** Envoy sends a request to another backend if it could not reach the first. It does not repeat a request that a backend may have got. */
const retryPolicy = {
  retry_on: 'connect-failure,refused-stream,reset-before-request',
  num_retries: 2,
  retry_host_predicate: [
    filter(
      'envoy.retry_host_predicates.previous_hosts',
      'envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate',
      {},
    ),
  ],
  host_selection_retry_max_attempts: '5',
};

/** Balances requests, not connections: a client that keeps its connection would stay with one backend. */
const httpProxy = connectionManager({
  stat_prefix: 'ingress',
  codec_type: 'AUTO',
  upgrade_configs: [{ upgrade_type: 'websocket' }],
  // frps has already written X-Forwarded-For; the address seen here is frpc's.
  use_remote_address: false,
  skip_xff_append: true,
  generate_request_id: false,
  route_config: routeTo([
    // By default a request may take 15 seconds.
    { match: { prefix: '/' }, route: { cluster: upstreamCluster, timeout: '0s', retry_policy: retryPolicy } },
  ]),
  http_filters: [router],
});

const tcpProxy = filter('envoy.filters.network.tcp_proxy', 'envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy', {
  stat_prefix: 'ingress',
  cluster: upstreamCluster,
  max_connect_attempts: 3,
});

/** A client stays with one backend until it has been silent for a minute. */
const udpProxy = filter(
  'envoy.filters.udp_listener.udp_proxy',
  'envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig',
  {
    stat_prefix: 'ingress',
    // Envoy calls the older `cluster` deprecated, and this one work in progress. Both work.
    matcher: {
      on_no_match: {
        action: filter('route', 'envoy.extensions.filters.udp.udp_proxy.v3.Route', { cluster: upstreamCluster }),
      },
    },
    idle_timeout: '60s',
  },
);
