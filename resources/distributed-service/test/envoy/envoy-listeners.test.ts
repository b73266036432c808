import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { at, bootstrap, type Json } from '../bootstrap.ts';

const ingress = 'static_resources.listeners.0';

describe('the listener', () => {
  const config = `${ingress}.filter_chains.0.filters.0.typed_config`;

  it('of an http service balances requests, lets websockets through and tries another backend', () => {
    const http = at(bootstrap('http'), config) as Json;
    assert.match(String(http['@type']), /HttpConnectionManager$/);
    assert.deepEqual(http['upgrade_configs'], [{ upgrade_type: 'websocket' }]);
    assert.deepEqual(
      [http['use_remote_address'], http['skip_xff_append'], http['generate_request_id']],
      [false, true, false],
    );
    const route = at(http, 'route_config.virtual_hosts.0.routes.0.route') as Json;
    assert.deepEqual([route['cluster'], route['timeout']], ['upstream', '0s']);
    assert.deepEqual(
      [at(route, 'retry_policy.num_retries'), at(route, 'retry_policy.host_selection_retry_max_attempts')],
      [2, '5'],
    );
    assert.equal(at(route, 'retry_policy.retry_on'), 'connect-failure,refused-stream,reset-before-request');
    assert.match(JSON.stringify(route), /PreviousHostsPredicate/);
    assert.equal(http['codec_type'], 'AUTO');
    assert.equal(at(http, 'http_filters.0.typed_config.suppress_envoy_headers'), true);
  });

  it('of a tcp service tries three backends', () => {
    const tcp = at(bootstrap('tcp'), config) as Json;
    assert.deepEqual([tcp['cluster'], tcp['max_connect_attempts']], ['upstream', 3]);
  });

  it('of a udp service keeps a client at its backend for a minute', () => {
    const udp = at(bootstrap('udp'), `${ingress}.listener_filters.0.typed_config`) as Json;
    assert.equal(udp['idle_timeout'], '60s');
    assert.equal(at(udp, 'matcher.on_no_match.action.typed_config.cluster'), 'upstream');
    assert.equal(at(bootstrap('udp'), `${ingress}.filter_chains`), undefined);
  });

  it('for the kubelet, the controller and Prometheus answers GET of four paths and refuses all else', () => {
    const routes =
      'static_resources.listeners.1.filter_chains.0.filters.0.typed_config.route_config.virtual_hosts.0.routes';
    assert.deepEqual(at(bootstrap(), routes), [
      {
        match: { path: '/ready', headers: [{ name: ':method', string_match: { exact: 'GET' } }] },
        route: { cluster: 'admin' },
      },
      {
        match: {
          path: '/endpoints',
          headers: [
            { name: ':path', string_match: { exact: '/endpoints' } },
            { name: ':method', string_match: { exact: 'GET' } },
          ],
        },
        route: {
          cluster: 'admin',
          prefix_rewrite:
            '/stats?filter=^cluster%5C.upstream%5C.(version_text|membership_healthy|membership_total|update_failure|update_rejected)$',
        },
      },
      {
        match: {
          path: '/metrics',
          headers: [
            { name: ':path', string_match: { exact: '/metrics' } },
            { name: ':method', string_match: { exact: 'GET' } },
          ],
        },
        route: {
          cluster: 'admin',
          prefix_rewrite:
            '/stats/prometheus?filter=^((http%7Ctcp%7Cudp)%5C.ingress%5C.downstream_%7Ccluster%5C.(upstream%7Cproxies)%5C.(membership_%7Cupstream_cx_active))',
        },
      },
      { match: { prefix: '/' }, direct_response: { status: 403 } },
    ]);
    assert.equal(at(bootstrap(), 'static_resources.listeners.1.address.socket_address.port_value'), 18001);
    const filters = 'static_resources.listeners.1.filter_chains.0.filters.0.typed_config.http_filters';
    const named = (found: unknown): readonly unknown[] => (found as readonly Json[]).map(({ name }) => name);
    assert.deepEqual(named(at(bootstrap(), filters)), ['envoy.filters.http.router'], 'nothing to ask after');
    const timing = { type: 'tcp', interval: '5s', timeout: '1s', failureThreshold: 3, successThreshold: 1 } as const;
    const checked = at(bootstrap('http', { healthCheck: timing }), filters);
    assert.deepEqual(named(checked), ['envoy.filters.http.health_check', 'envoy.filters.http.router']);
    assert.deepEqual(at(checked as Json, '0.typed_config.cluster_min_healthy_percentages'), { upstream: { value: 1 } });
  });
});
