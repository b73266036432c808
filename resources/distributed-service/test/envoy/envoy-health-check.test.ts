import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KnudgeError } from '../../../../packages/controller/domain/errors.ts';
import { at, bootstrap, type Json } from '../bootstrap.ts';

const upstream = 'static_resources.clusters.0';
const check = {
  type: 'http',
  path: '/healthz',
  interval: '5s',
  timeout: '500ms',
  failureThreshold: 3,
  successThreshold: 2,
} as const;

describe('a health check', () => {
  it('over http counts every wrong status, and asks also while there is no traffic', () => {
    assert.deepEqual(at(bootstrap('http', { healthCheck: check }), `${upstream}.health_checks`), [
      {
        interval: '5s',
        timeout: '0.5s',
        unhealthy_threshold: 3,
        healthy_threshold: 2,
        no_traffic_interval: '5s',
        no_traffic_healthy_interval: '5s',
        initial_jitter: '1s',
        http_health_check: {
          path: '/healthz',
          host: 'web.shop',
          retriable_statuses: [
            { start: 100, end: 200 },
            { start: 201, end: 600 },
          ],
        },
      },
    ]);
  });

  it('over http asks for / unless told another path', () => {
    const { path: _, ...rest } = check;
    assert.equal(
      at(bootstrap('http', { healthCheck: rest }), `${upstream}.health_checks.0.http_health_check.path`),
      '/',
    );
  });

  it('over tcp opens a connection, also for a udp service', () => {
    for (const serviceType of ['tcp', 'udp'] as const) {
      const found = at(
        bootstrap(serviceType, { healthCheck: { ...check, type: 'tcp' } }),
        `${upstream}.health_checks.0`,
      ) as Json;
      assert.deepEqual(found['tcp_health_check'], {});
      assert.equal(found['http_health_check'], undefined);
    }
  });

  for (const [duration, seconds] of [
    ['1m', '60s'],
    ['5m', '300s'],
    ['100ms', '0.1s'],
    ['1500ms', '1.5s'],
    ['1ms', '0.001s'],
    ['300s', '300s'],
  ] as const) {
    it(`every ${duration} is one every ${seconds}`, () => {
      assert.equal(
        at(bootstrap('tcp', { healthCheck: { ...check, interval: duration } }), `${upstream}.health_checks.0.interval`),
        seconds,
      );
    });
  }

  for (const interval of ['5', 's', '', '1h', '-1s', '0s', '1.5s', '5s ', '1s1ms', '1000000s']) {
    it(`every ${JSON.stringify(interval)} is refused with what to write`, () => {
      assert.throws(
        () => bootstrap('tcp', { healthCheck: { ...check, interval } }),
        (error) =>
          error instanceof KnudgeError &&
          error.code === 'invalid-object' &&
          /is not a duration: write/.test(error.message),
      );
    });
  }
});
