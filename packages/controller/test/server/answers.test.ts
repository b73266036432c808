import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { event, recorded, recordedNames, structured } from '../../../../test/build/event.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { errorCodes, KnudgeError } from '../../domain/errors.ts';
import type { Outcome } from '../../domain/plan.ts';
import { done, post, startApp } from './start.ts';

const ref = { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: 'hello' };

suite('an outcome is answered', () => {
  const rows: readonly [name: string, outcomes: readonly Outcome[], knudgeOutcome: string][] = [
    ['done', [done], 'done; reads=3; writes=1'],
    ['gone', [{ result: 'gone', reads: 2, writes: 0 }], 'gone; reads=2; writes=0'],
    ['ignored', [{ result: 'ignored', reads: 0, writes: 0 }], 'ignored; reads=0; writes=0'],
    ['no parent at all', [], 'ignored; reads=0; writes=0'],
    [
      'several parents: sums, and done wins',
      [{ result: 'gone', reads: 2, writes: 0 }, done, done],
      'done; reads=8; writes=2',
    ],
    [
      'gone wins over ignored',
      [
        { result: 'ignored', reads: 1, writes: 0 },
        { result: 'gone', reads: 2, writes: 0 },
      ],
      'gone; reads=3; writes=0',
    ],
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
      const { app, lines } = startApp({
        handle: () => Promise.reject(new KnudgeError(code, 'secret detail', { retryAfterSeconds: 2.2 })),
      });
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
  for (const [given, header] of [
    [undefined, '1'],
    [0, '1'],
    [-5, '1'],
    [0.2, '1'],
    [7, '7'],
    [1e9, '3600'],
    [Number.NaN, '1'],
  ] as const) {
    test(`${given} is ${header}`, async () => {
      const details = given === undefined ? {} : { retryAfterSeconds: given };
      const { app } = startApp({ handle: () => Promise.reject(new KnudgeError('throttled', 'slow down', details)) });
      const response = await post(app, event());
      assert.equal(response.status, 429);
      assert.equal(response.headers['retry-after'], header);
    });
  }
});

test('a function that never ends is answered 503 at its deadline', { timeout: 5000 }, async () => {
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
