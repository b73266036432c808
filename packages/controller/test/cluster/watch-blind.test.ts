import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Credentials } from '../../cluster/access.ts';
import { failure } from './build.ts';
import { eventually, path, pod, serveWatches, watching } from './watch-api.ts';

describe('a watch that cannot go on', () => {
  it('lists anew without a word when its version has expired, by status or in the stream', async (t) => {
    const api = await serveWatches(t);
    const { seen, kinds } = await watching(t, api);
    api.version = '30';
    api.push(path, 'ERROR', failure(410, 'Expired', 'too old resource version'));
    await eventually('it watches again', () => api.watches().length === 2);
    assert.equal(api.watches()[1]?.get('resourceVersion'), '30');
    api.push(path, 'ADDED', pod('a', '31'));
    await eventually('it is seen', () => seen.length === 1);
    api.version = '40';
    api.next('watch', { status: 410, body: failure(410, 'Expired') });
    api.end();
    await eventually('it watches again', () => api.watches().length === 4);
    assert.equal(api.watches()[3]?.get('resourceVersion'), '40');
    assert.deepEqual(kinds(), ['watching']);
  });

  it('waits longer and longer where every watch expires, and says that it is blind', async (t) => {
    const api = await serveWatches(t);
    const expired = { status: 410, body: failure(410, 'Expired') };
    api.next('watch', ...Array.from({ length: 6 }, () => expired));
    const { kinds } = await watching(t, api);
    const began = performance.now();
    await eventually('it watches at last', () => kinds().at(-1) === 'watching');
    assert.ok(performance.now() - began >= 50, 'six tries in a row');
    assert.deepEqual(kinds(), ['blind', 'watching']);
    assert.equal(api.lists().length, 7);
  });

  it('notices a connection that died without a word', async (t) => {
    const api = await serveWatches(t);
    const { states } = await watching(t, api);
    await eventually('it is noticed', () => states.length === 3);
    assert.deepEqual(states[1], { kind: 'blind', why: 'nothing came for 2 s' });
    assert.equal(api.watches()[1]?.get('resourceVersion'), '10');
  });

  it('notices a server that does not answer at all', async (t) => {
    const api = await serveWatches(t);
    api.next('watch', 'silence');
    const { states } = await watching(t, api, { pace: { graceMs: 50 } });
    await eventually('it watches at last', () => states.length === 2);
    assert.deepEqual(states, [{ kind: 'blind', why: 'nothing came for 1 s' }, { kind: 'watching' }]);
  });

  it('asks for new credentials after a refusal, and keeps them to the header', async (t) => {
    const api = await serveWatches(t);
    const asked: boolean[] = [];
    api.next('watch', { status: 401, body: failure(401, 'Unauthorized', 'Unauthorized') });
    const credentials = async (renewed: boolean): Promise<Credentials> => {
      asked.push(renewed);
      return { authorization: `Bearer ${renewed ? 'new' : 'old'}`, impersonate: 'ada' };
    };
    const { states } = await watching(t, api, { access: { server: api.url, credentials } });
    await eventually('it watches', () => states.at(-1)?.kind === 'watching');
    assert.deepEqual(asked, [false, false, true]);
    const { authorization, 'impersonate-user': user } = api.seen.at(-1)?.headers ?? {};
    assert.deepEqual([authorization, user], ['Bearer new', 'ada']);
    assert.deepEqual(states[0], { kind: 'blind', why: 'Unauthorized' });
  });

  const refusals = [
    [403, 'Forbidden', 'pods is forbidden', 'pods is forbidden'],
    [
      404,
      'NotFound',
      'the server could not find the requested resource',
      'the server could not find the requested resource',
    ],
    [500, 'InternalError', '', 'the API server answered 500'],
  ] as const;
  for (const [status, reason, message, why] of refusals) {
    it(`says why it is blind at ${status}, and tries on`, async (t) => {
      const api = await serveWatches(t);
      api.next('watch', { status, body: failure(status, reason, message) });
      const { states } = await watching(t, api);
      await eventually('it watches', () => states.length === 2);
      assert.deepEqual(states, [{ kind: 'blind', why }, { kind: 'watching' }]);
      assert.equal(api.lists().length, 1);
    });
  }

  it('waits as long as a throttling server says', async (t) => {
    const api = await serveWatches(t);
    api.next('watch', { status: 429, headers: { 'retry-after': '1' }, body: failure(429, 'TooManyRequests') });
    const { states } = await watching(t, api);
    const began = performance.now();
    await eventually('it watches', () => states.at(-1)?.kind === 'watching');
    assert.ok(performance.now() - began >= 950);
  });

  it('says what is wrong with a list, once', async (t) => {
    const api = await serveWatches(t);
    const refused = { status: 403, body: failure(403, 'Forbidden', 'User "x" cannot list resource') };
    api.next('list', refused, refused, refused, { body: { kind: 'List', metadata: {} } });
    const { states } = await watching(t, api);
    await eventually('it watches', () => states.at(-1)?.kind === 'watching');
    const forbidden = { kind: 'blind', why: 'list of /api/v1/pods: User "x" cannot list resource' };
    assert.deepEqual(states, [forbidden, { kind: 'watching' }]);
  });

  const broken: readonly [name: string, bytes: string][] = [
    ['a line that is no JSON', 'what?\n'],
    ['an event without a version', '{"type":"ADDED","object":{"metadata":{}}}\n'],
    ['a type that there is not', '{"type":"RENAMED","object":{"metadata":{"resourceVersion":"11"}}}\n'],
    [
      'a line that is too long',
      `{"type":"ADDED","object":{"metadata":{"resourceVersion":"11","name":"${'x'.repeat(5000)}"}}}\n`,
    ],
    ['a line that is too long and has no end', 'x'.repeat(5000)],
  ];
  for (const [name, bytes] of broken) {
    it(`begins anew after ${name}, blind for a moment`, async (t) => {
      const api = await serveWatches(t);
      const { seen, kinds } = await watching(t, api, { pace: { maxLineBytes: 4096 } });
      api.version = '50';
      api.pushRaw(path, bytes);
      await eventually('it watches again', () => kinds().length === 3);
      assert.deepEqual(kinds(), ['watching', 'blind', 'watching']);
      assert.equal(api.watches().at(-1)?.get('resourceVersion'), '50');
      assert.deepEqual(seen, []);
    });
  }
});
