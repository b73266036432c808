import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import request from 'supertest';
import { event } from '../../../../test/build/event.ts';
import type { Outcome } from '../../domain/plan.ts';
import { post, startApp } from './start.ts';

const ref = { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: 'hello' };

suite('a foreign Host and a foreign Origin', () => {
  for (const [address, wanted] of [
    ['127.0.0.1', 403],
    ['::1', 403],
    ['', 204],
    ['10.0.0.7', 204],
  ] as const) {
    test(`are ${wanted} where it listens at "${address}"`, async () => {
      for (const header of [{ host: 'evil.example' }, { origin: 'http://evil.example' }]) {
        const { app, calls } = startApp({ env: { LISTEN_ADDRESS: address } });
        const { headers, body } = event();
        const response = await post(app, { headers: { ...headers, ...header }, body });
        assert.equal(response.status, wanted);
        assert.equal(calls.length, wanted === 204 ? 1 : 0);
      }
    });
  }
});

suite('a dry run', () => {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'hello',
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"kind":"Secret","data":{"k":"hunter2"}}' },
    },
    data: { 'tls.key': 'hunter2' },
    stringData: { token: 'hunter2' },
  };
  const plan = { writes: [{ do: 'apply', object: secret, live: secret }], notices: [], again: false } as const;
  const changes = [{ before: secret, after: { ...secret, data: { 'tls.key': 'hunter2' } }, keys: ['tls.key'] }];
  const planned: Outcome = { result: 'planned', reads: 2, writes: 0, plans: [{ ref, plan, changes }] };

  test('is answered 200 with the plan, without the data of Secrets', async () => {
    const { app, calls } = startApp({ handle: async () => [planned] });
    const response = await post(app, event(), '/?dryRun=All');
    assert.equal(response.status, 200);
    assert.equal(response.headers['content-type'], 'application/json');
    assert.deepEqual(calls[0]?.options, { dryRun: true });
    assert.deepEqual(response.body.plans[0].ref, ref);
    assert.deepEqual(response.body.plans[0].plan.writes[0].object.data, { 'tls.key': '[redacted]' });
    assert.deepEqual(response.body.plans[0].changes[0].after.data, { 'tls.key': '[redacted]' });
    assert.ok(!response.text.includes('hunter2'));
    assert.equal(secret.data['tls.key'], 'hunter2');
  });
  test('of several parents has the plans of all', async () => {
    const response = await post(startApp({ handle: async () => [planned, planned] }).app, event(), '/?dryRun=All');
    assert.equal(response.body.plans.length, 2);
    assert.equal(response.headers['knudge-outcome'], 'planned; reads=4; writes=0');
  });
  for (const query of [
    'dryRun=all',
    'dryRun=',
    'dryRun',
    'dryRun=true',
    'dryRun=All&dryRun=None',
    'dryRun=%41%6c%6cx',
  ]) {
    test(`with ?${query} is refused`, async () => {
      const { app, calls } = startApp();
      const response = await post(app, event(), `/?${query}`);
      assert.equal(response.status, 400);
      assert.equal(response.body.code, 'invalid-request');
      assert.equal(calls.length, 0);
    });
  }
  test('is not what another parameter asks for', async () => {
    const { app, calls } = startApp();
    await post(app, event(), '/?timeout=1s').expect(204);
    assert.deepEqual(calls[0]?.options, { dryRun: false });
  });
});

suite('a path', () => {
  const rows: readonly [
    method: 'get' | 'post' | 'put' | 'delete' | 'patch' | 'head' | 'options',
    path: string,
    status: number,
    allow?: string,
  ][] = [
    ['get', '/health/liveness', 200],
    ['get', '/health/readiness', 200],
    ['get', '/health/readiness?verbose', 200],
    ['get', '/metrics', 200],
    ['get', '/', 405, 'POST'],
    ['put', '/', 405, 'POST'],
    ['delete', '/', 405, 'POST'],
    ['patch', '/', 405, 'POST'],
    ['options', '/', 405, 'POST'],
    ['head', '/', 405, 'POST'],
    ['post', '/metrics', 405, 'GET'],
    ['post', '/health/liveness', 405, 'GET'],
    ['get', '/favicon.ico', 400],
    ['post', '/events', 400],
    ['get', '/health', 400],
    ['get', '//', 400],
    ['get', '/health/../metrics/x', 400],
  ];
  for (const [method, path, status, allow] of rows) {
    test(`${method.toUpperCase()} ${path} is ${status}`, async () => {
      const response = await request(startApp().app)[method](path);
      assert.equal(response.status, status);
      assert.equal(response.headers['allow'], allow);
    });
  }
});

test('while leaving, readiness is 503 and liveness stays 200', async () => {
  const { app, drain } = startApp();
  drain.begun = true;
  await request(app).get('/health/readiness').expect(503).expect('retry-after', '1').expect('connection', 'close');
  await request(app).get('/health/liveness').expect(200);
});
