import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import request from 'supertest';
import type { ErrorCode } from '../../src/domain/errors.ts';
import { errorCodes, KnudgeError } from '../../src/domain/errors.ts';
import type { Outcome } from '../../src/domain/plan.ts';
import { longestErrorBody } from '../../src/server/error-body.ts';
import { event, recorded, recordedNames, structured } from '../build/event.ts';
import { hostileEvents, oddEvents } from '../wire/hostile-events.ts';
import { done, startApp } from './start.ts';

/** Posts a request exactly as it is. */
function post(app: Parameters<typeof request>[0], { headers, body }: ReturnType<typeof event>, path = '/') {
  const sent = request(app).post(path).set(headers);
  return body.length === 0 ? sent : sent.serialize((data: unknown) => data as string).send(body);
}

const ref = { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: 'hello' };

suite('an outcome is answered', () => {
  const rows: readonly [name: string, outcomes: readonly Outcome[], knudgeOutcome: string][] = [
    ['done', [done], 'done; reads=3; writes=1'],
    ['gone', [{ result: 'gone', reads: 2, writes: 0 }], 'gone; reads=2; writes=0'],
    ['ignored', [{ result: 'ignored', reads: 0, writes: 0 }], 'ignored; reads=0; writes=0'],
    ['no parent at all', [], 'ignored; reads=0; writes=0'],
    ['several parents: sums, and done wins', [{ result: 'gone', reads: 2, writes: 0 }, done, done], 'done; reads=8; writes=2'],
    ['gone wins over ignored', [{ result: 'ignored', reads: 1, writes: 0 }, { result: 'gone', reads: 2, writes: 0 }], 'gone; reads=3; writes=0'],
  ];
  for (const [name, outcomes, knudgeOutcome] of rows) {
    test(`${name}: 204, empty`, async () => {
      const response = await post(startApp({ handle: async () => outcomes }).app, event());
      assert.equal(response.status, 204);
      assert.equal(response.text, '');
      assert.equal(response.headers['knudge-outcome'], knudgeOutcome);
      assert.equal(response.headers['content-type'], undefined);
      assert.equal(response.headers['transfer-encoding'], undefined);
    });
  }
});

suite('an error of the function is answered', () => {
  for (const code of Object.keys(errorCodes) as ErrorCode[]) {
    const { retry, status } = errorCodes[code];
    test(`${code}: ${status}`, async () => {
      const { app, lines } = startApp({ handle: () => Promise.reject(new KnudgeError(code, 'secret detail', { retryAfterSeconds: 2.2 })) });
      const response = await post(app, event());
      assert.equal(response.status, status);
      assert.equal(response.headers['retry-after'], retry === 'later' ? '3' : undefined);
      assert.equal(response.text.includes('secret detail'), retry === 'later' || retry === 'never');
      if (status !== 204) assert.equal(response.body.code, code);
      assert.equal(lines.length, 1);
      assert.equal(lines[0]?.['outcome'], code);
      assert.equal(lines[0]?.['level'], retry === 'bug' ? 'error' : 'warn');
      assert.ok(JSON.stringify(lines[0]).includes('secret detail'));
    });
  }
  test('none is 404 or 409, which Knative retries', () => {
    for (const { status } of Object.values(errorCodes)) assert.ok(![404, 409].includes(status));
  });
});

suite('a value that is thrown', () => {
  const rows: readonly [name: string, thrown: unknown][] = [
    ['an ordinary error', new TypeError('x is not a function at /app/secret.ts')],
    ['a string', 'secret'],
    ['nothing', undefined],
  ];
  for (const [name, thrown] of rows) {
    test(`${name}: 500 without its details`, async () => {
      const response = await post(startApp({ handle: () => Promise.reject(thrown) }).app, event());
      assert.equal(response.status, 500);
      assert.equal(response.body.code, 'internal');
      assert.ok(!response.text.includes('secret'));
    });
  }
});

suite('Retry-After is whole seconds, at least one', () => {
  for (const [given, header] of [[undefined, '1'], [0, '1'], [-5, '1'], [0.2, '1'], [7, '7'], [1e9, '3600'], [Number.NaN, '1']] as const) {
    test(`${given} is ${header}`, async () => {
      const details = given === undefined ? {} : { retryAfterSeconds: given };
      const { app } = startApp({ handle: () => Promise.reject(new KnudgeError('throttled', 'slow down', details)) });
      const response = await post(app, event());
      assert.equal(response.status, 429);
      assert.equal(response.headers['retry-after'], header);
    });
  }
});

test('a function that never ends is answered 503 at its deadline', async () => {
  const { app } = startApp({ handle: () => new Promise(() => {}), env: { HANDLER_DEADLINE_SECONDS: '1' } });
  const response = await post(app, event());
  assert.equal(response.status, 503);
  assert.equal(response.body.code, 'unavailable');
});

suite('what a function does not take costs it nothing', () => {
  for (const name of recordedNames) {
    test(`${name} is ignored by a function that takes nothing`, async () => {
      const { app, calls } = startApp({ kinds: [] });
      const response = await post(app, recorded(name));
      assert.equal(response.status, 204);
      assert.equal(response.headers['knudge-outcome'], 'ignored; reads=0; writes=0');
      assert.equal(calls.length, 0);
    });
  }
});

test('the function gets the change, in both modes the same', async () => {
  const { app, calls } = startApp();
  await post(app, recorded('message-changed/message-add')).expect(204);
  await post(app, structured(recorded('message-changed/message-add'))).expect(204);
  assert.equal(calls.length, 2);
  assert.deepEqual(calls[0]?.change.ref, { ...ref, namespace: 'ev' });
  assert.deepEqual(calls[0], calls[1]);
  assert.deepEqual(calls[0]?.options, { dryRun: false });
});

suite('a dry run', () => {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'hello', annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"kind":"Secret","data":{"k":"hunter2"}}' } },
    data: { 'tls.key': 'hunter2' },
    stringData: { token: 'hunter2' },
  };
  const plan = { writes: [{ do: 'apply', object: secret, live: secret }], notices: [], again: false } as const;
  const planned: Outcome = { result: 'planned', reads: 2, writes: 0, plans: [{ ref, plan }] };

  test('is answered 200 with the plan, without the data of Secrets', async () => {
    const { app, calls } = startApp({ handle: async () => [planned] });
    const response = await post(app, event(), '/?dryRun=All');
    assert.equal(response.status, 200);
    assert.equal(response.headers['content-type'], 'application/json');
    assert.deepEqual(calls[0]?.options, { dryRun: true });
    assert.deepEqual(response.body.plans[0].ref, ref);
    assert.deepEqual(response.body.plans[0].plan.writes[0].object.data, { 'tls.key': '[redacted]' });
    assert.ok(!response.text.includes('hunter2'));
    assert.equal(secret.data['tls.key'], 'hunter2');
  });
  test('of several parents has the plans of all', async () => {
    const response = await post(startApp({ handle: async () => [planned, planned] }).app, event(), '/?dryRun=All');
    assert.equal(response.body.plans.length, 2);
    assert.equal(response.headers['knudge-outcome'], 'planned; reads=4; writes=0');
  });
  for (const query of ['dryRun=all', 'dryRun=', 'dryRun', 'dryRun=true', 'dryRun=All&dryRun=None', 'dryRun=%41%6c%6cx']) {
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
  const rows: readonly [method: 'get' | 'post' | 'put' | 'delete' | 'patch' | 'head' | 'options', path: string, status: number, allow?: string][] = [
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

suite('a hostile event is answered', () => {
  const { app, calls } = startApp({ kinds: ['Message', 'Pod', 'Role', 'Secret'] });
  for (const [name, hostile, code] of hostileEvents) {
    const { status } = errorCodes[code];
    test(`${name}: ${status} ${code}`, async () => {
      const response = await post(app, hostile);
      assert.equal(response.status, status);
      assert.equal(response.body.code, code);
      assert.ok(Buffer.byteLength(response.text) <= longestErrorBody);
      assert.equal(({} as { polluted?: unknown }).polluted, undefined);
      assert.equal(calls.length, 0);
    });
  }
});

suite('an odd event is answered', () => {
  const { app } = startApp();
  for (const [name, odd] of oddEvents) {
    test(`${name}: 204`, async () => assert.equal((await post(app, odd)).status, 204));
  }
});

suite('one line is logged about an event', () => {
  test('that is done', async () => {
    const { app, lines } = startApp();
    await post(app, event()).expect(204);
    const { time, ms, ...line } = lines[0] ?? {};
    assert.equal(lines.length, 1);
    assert.ok(typeof time === 'string' && typeof ms === 'number' && ms >= 0);
    assert.deepEqual(line, {
      ...{ level: 'info', service: 'knudge', msg: 'event handled', event: 'event-1', type: 'dev.knative.apiserver.resource.update' },
      ...{ verb: 'updated', kind: 'Message', namespace: 'shop', name: 'hello', outcome: 'done', reads: 3, writes: 1 },
    });
  });
  test('that is refused, with what is known of it', async () => {
    const { app, lines } = startApp();
    await post(app, event({ attributes: { name: '../x' } })).expect(400);
    assert.equal(lines.length, 1);
    assert.equal(lines[0]?.['event'], 'event-1');
    assert.equal(lines[0]?.['outcome'], 'invalid-event');
    assert.equal(lines[0]?.['kind'], undefined);
  });
  test('that failed by a fault of ours, with its stack and without tokens', async () => {
    const { app, lines } = startApp({ handle: () => Promise.reject(new TypeError('GET with Bearer abc.def failed')) });
    await post(app, event()).expect(500);
    const { err } = lines[0] as { err: { code: string; cause: { type: string; stack: string } } };
    assert.equal(err.code, 'internal');
    assert.equal(err.cause.type, 'TypeError');
    assert.ok(err.cause.stack.includes('app.test.ts'));
    assert.ok(!JSON.stringify(lines).includes('abc.def'));
  });
});

test('events are counted by what came of them', async () => {
  const { app } = startApp();
  await post(app, event()).expect(204);
  await post(app, event()).expect(204);
  await post(app, event({ attributes: { type: 'com.example.x' } })).expect(204);
  await post(app, event({ data: '{' })).expect(400);
  const { text } = await request(app).get('/metrics').expect('content-type', /version=0\.0\.4/);
  assert.match(text, /^knudge_events_total\{outcome="done"\} 2$/m);
  assert.match(text, /^knudge_events_total\{outcome="ignored"\} 1$/m);
  assert.match(text, /^knudge_events_total\{outcome="invalid-json"\} 1$/m);
});
