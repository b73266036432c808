import type { ServerProfile } from '../frp/server-profile.ts';
import { type Layout, probePaths, proxiesCluster } from './data-plane.ts';
import { filter } from './envoy-listeners.ts';

/** A cluster of one address, to which the probe listener sends requests. */
function cluster(name: string, address: object, more: object = {}): object {
  const endpoints = [{ lb_endpoints: [{ endpoint: { address } }] }];
  return {
    name,
    type: 'STATIC',
    connect_timeout: '1s',
    load_assignment: { cluster_name: name, endpoints },
    ...more,
  };
}

/** Envoy's own admin interface. */
export function adminCluster(address: object): object {
  return cluster('admin', address);
}

/** The clusters that say whether the proxy runs: frpc's admin API, a probe of it each second through Envoy's own port, and the FRP server. */
export function publishedClusters(
  server: Pick<ServerProfile, 'address' | 'port'>,
  { probePort, adminPort }: Layout,
): readonly object[] {
  const at = (address: string, port: number): object => ({ socket_address: { address, port_value: port } });
  return [
    cluster('frpc', at('127.0.0.1', adminPort)),
    cluster(proxiesCluster, at('127.0.0.1', probePort), { health_checks: [proxyRuns] }),
    // Envoy looks up the server's name once an hour: only the questions to `/server` need it, the tunnel does not.
    cluster('server', at(server.address, server.port), hourly),
  ];
}

const hourly = {
  type: undefined,
  cluster_type: filter('envoy.clusters.dns', 'envoy.extensions.clusters.dns.v3.DnsCluster', {
    all_addresses_in_single_endpoint: true,
    dns_lookup_family: 'ALL',
    dns_refresh_rate: '3600s',
    dns_failure_refresh_rate: { base_interval: '5s', max_interval: '60s' },
  }),
};

const proxyRuns = {
  interval: '1s',
  timeout: '1s',
  no_traffic_interval: '1s',
  no_traffic_healthy_interval: '1s',
  unhealthy_threshold: 2,
  healthy_threshold: 1,
  http_health_check: {
    path: probePaths.proxies,
    host: 'frpc',
    // The text that frpc 0.71 writes for a proxy that runs. A service has at most one proxy.
    receive: [{ text: Buffer.from('"status":"running"').toString('hex') }],
    response_buffer_size: 16384,
  },
};
