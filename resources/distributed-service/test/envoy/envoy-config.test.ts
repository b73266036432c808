import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { podLayout } from '../../envoy/data-plane.ts';
import { envoyArguments, envoyBootstrap } from '../../envoy/envoy-config.ts';
import { at, bootstrap, type Json } from '../bootstrap.ts';

const serviceTypes = ['http', 'tcp', 'udp'] as const;
const upstream = 'static_resources.clusters.0';
const ingress = 'static_resources.listeners.0';

describe("Envoy's bootstrap", () => {
  for (const [sentence, path, want] of [
    ['names the service', 'node', { id: 'shop/web', cluster: 'distributedservice' }],
    ['has its admin on no port', 'admin.address', { pipe: { path: '@knudge-envoy-admin', mode: 0 } }],
    [
      'opens what reads only',
      'admin.allow_paths',
      [{ exact: '/ready' }, { prefix: '/stats' }, { prefix: '/clusters' }],
    ],
    [
      'limits its connections',
      'overload_manager.resource_monitors.0.typed_config.max_active_downstream_connections',
      20000,
    ],
    [
      'listens for the cluster too',
      `${ingress}.address.socket_address`,
      { address: '0.0.0.0', port_value: 18000, protocol: 'TCP' },
    ],
    ['reads endpoints from a file', `${upstream}.type`, 'EDS'],
    [
      'watches the folder of that file',
      `${upstream}.eds_cluster_config.eds_config.path_config_source`,
      { path: '/etc/knudge/endpoints/eds.json', watched_directory: { path: '/etc/knudge/endpoints' } },
    ],
    ['drops removed backends at once', `${upstream}.ignore_health_on_host_removal`, true],
    ['never panics', `${upstream}.common_lb_config.healthy_panic_threshold`, { value: 0 }],
    [
      'has room for many connections',
      `${upstream}.circuit_breakers.thresholds`,
      [
        {
          priority: 'DEFAULT',
          max_connections: 65536,
          max_pending_requests: 65536,
          max_requests: 65536,
          max_retries: 64,
        },
      ],
    ],
    ['gives up on a backend after a second', `${upstream}.connect_timeout`, '1s'],
    ['answers its admin at the limit of connections', 'admin.ignore_global_conn_limit', true],
    ['answers the kubelet at that limit', 'static_resources.listeners.1.ignore_global_conn_limit', true],
    ['checks no health unless told to', `${upstream}.health_checks`, undefined],
  ] as const) {
    it(sentence, () => {
      for (const serviceType of serviceTypes) {
        const found = at(bootstrap(serviceType), path);
        const udp = serviceType === 'udp' && path.endsWith('.address.socket_address');
        assert.deepEqual(found, udp ? { ...(want as object), protocol: 'UDP' } : want);
      }
    });
  }

  for (const [algorithm, policy] of [
    ['round-robin', { lb_policy: 'ROUND_ROBIN' }],
    ['random', { lb_policy: 'RANDOM' }],
  ] as const) {
    it(`gives ${algorithm} its policy`, () => {
      const cluster = at(bootstrap('tcp', { algorithm }), upstream) as Json;
      assert.deepEqual({ lb_policy: cluster['lb_policy'] }, policy);
      assert.equal(cluster['load_balancing_policy'], undefined);
    });
  }

  it('gives least-conn the scan of all backends, not of two', () => {
    const config = `${upstream}.load_balancing_policy.policies.0.typed_extension_config.typed_config`;
    assert.equal(at(bootstrap('tcp', { algorithm: 'least-conn' }), `${config}.selection_method`), 'FULL_SCAN');
    assert.equal(at(bootstrap('tcp', { algorithm: 'least-conn' }), `${upstream}.lb_policy`), undefined);
  });

  it('speaks HTTP/2 to the backends of h2c clients, for http services only', () => {
    const options = `${upstream}.typed_extension_protocol_options`;
    assert.match(
      JSON.stringify(at(bootstrap('http'), options)),
      /"use_downstream_protocol_config":\{"http_protocol_options":\{\},"http2/,
    );
    assert.equal(at(bootstrap('tcp'), options), undefined);
    assert.equal(at(bootstrap('udp'), options), undefined);
  });

  it('is the same text for the same input and ends in a line break', () => {
    const spec = { serviceType: 'udp', loadBalancing: { algorithm: 'random' } } as const;
    const text = envoyBootstrap({ namespace: 'shop', name: 'web', spec });
    assert.equal(
      envoyBootstrap({
        spec: { loadBalancing: { algorithm: 'random' }, serviceType: 'udp' },
        name: 'web',
        namespace: 'shop',
      }),
      text,
    );
    assert.ok(text.endsWith('}\n'));
  });

  it('has ports, folders and socket where a layout says', () => {
    const layout = { ...podLayout, ingressPort: 1, probePort: 2, endpointsPath: '/e', adminSocket: 'a' };
    const spec = { serviceType: 'tcp', loadBalancing: { algorithm: 'random' } } as const;
    const text = envoyBootstrap({ namespace: 'shop', name: 'web', spec, layout });
    for (const part of ['"port_value": 1,', '"port_value": 2,', '"path": "/e/eds.json"', '"path": "/e"', '"@a"']) {
      assert.ok(text.includes(part), part);
    }
    assert.doesNotMatch(text, /1800|\/etc\/knudge|knudge-envoy-admin/);
  });
});

describe("Envoy's arguments", () => {
  it('are the measured ones', () => {
    const rest = ['--concurrency', '1', '--disable-hot-restart', '--reject-unknown-dynamic-fields', '-l', 'warning'];
    assert.deepEqual(envoyArguments, ['-c', '/etc/knudge/config/envoy.json', ...rest]);
  });
});
